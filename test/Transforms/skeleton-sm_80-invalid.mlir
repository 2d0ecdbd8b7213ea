// RUN: kz-opt %s --split-input-file --verify-diagnostics --kz-print-skeleton=target=sm_80

// expected-error @below {{rows of 200000 elements do not fit into the registers of one block; at most 131072}}
func.func @task(%x: tensor<8x200000xf16>) -> tensor<8x200000xf16> {
  %zero = arith.constant 0.0 : f32
  %minus_zero = arith.constant -0.0 : f32
  %minus_inf = arith.constant 0xFF800000 : f32
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %rsqrt2 = arith.constant 0.70710678118654752 : f32
  %eps = arith.constant 1.0e-5 : f32
  %count = arith.constant 200000.0 : f32
  %er = tensor.empty() : tensor<8xf32>
  %ef = tensor.empty() : tensor<8x200000xf32>
  %ex = tensor.empty() : tensor<8x200000xf16>
  %f0 = linalg.fill ins(%zero : f32) outs(%er : tensor<8xf32>) -> tensor<8xf32>
  %fm = linalg.fill ins(%minus_inf : f32) outs(%er : tensor<8xf32>) -> tensor<8xf32>
  %max = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x200000xf16>) outs(%fm : tensor<8xf32>) {
  ^bb0(%p: f16, %o: f32):
    %q = arith.extf %p : f16 to f32
    %s = arith.maximumf %q, %o : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  %exp = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x, %max : tensor<8x200000xf16>, tensor<8xf32>) outs(%ef : tensor<8x200000xf32>) {
  ^bb0(%p: f16, %m: f32, %o: f32):
    %q = arith.extf %p : f16 to f32
    %s = arith.subf %q, %m : f32
    %t = math.exp %s : f32
    linalg.yield %t : f32
  } -> tensor<8x200000xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%exp : tensor<8x200000xf32>) outs(%f0 : tensor<8xf32>) {
  ^bb0(%p: f32, %o: f32):
    %s = arith.addf %p, %o : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%exp, %sum : tensor<8x200000xf32>, tensor<8xf32>) outs(%ex : tensor<8x200000xf16>) {
  ^bb0(%p: f32, %s: f32, %o: f16):
    %q = arith.divf %p, %s : f32
    %rounded = arith.truncf %q : f32 to f16
    linalg.yield %rounded : f16
  } -> tensor<8x200000xf16>
  return %r : tensor<8x200000xf16>
}

// -----

// expected-error @below {{there is no skeleton for 'linalg.generic', which sums over dimension 0 of 2; accepted are contractions, rows that are summed over trailing dimensions, and elementwise groups}}
func.func @columns(%x: tensor<64x256xf32>, %f: tensor<256xf32>) -> tensor<256xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<64x256xf32>) outs(%f : tensor<256xf32>) {
  ^bb0(%p: f32, %o: f32):
    %q = arith.addf %p, %o : f32
    linalg.yield %q : f32
  } -> tensor<256xf32>
  return %0 : tensor<256xf32>
}

// -----

// expected-error @below {{the task leaves one element, which is nothing to spread over a GPU; accepted are tasks that leave at least one dimension}}
func.func @all(%x: tensor<64x256xf32>, %f: tensor<f32>) -> tensor<f32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>], iterator_types = ["reduction", "reduction"]} ins(%x : tensor<64x256xf32>) outs(%f : tensor<f32>) {
  ^bb0(%p: f32, %o: f32):
    %q = arith.addf %p, %o : f32
    linalg.yield %q : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// expected-error @below {{the task has two contractions; there is a skeleton for one}}
func.func @two(%a: tensor<64x64xf16>, %f: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %0 = linalg.matmul ins(%a, %a : tensor<64x64xf16>, tensor<64x64xf16>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = linalg.matmul ins(%a, %a : tensor<64x64xf16>, tensor<64x64xf16>) outs(%0 : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0, %1 : tensor<64x64xf32>, tensor<64x64xf32>
}

// -----

// expected-error @below {{'linalg.generic' sums beside a contraction; accepted beside one are elementwise operations}}
func.func @sum(%a: tensor<64x64xf16>, %f: tensor<64x64xf32>, %s: tensor<64xf32>) -> tensor<64xf32> {
  %0 = linalg.matmul ins(%a, %a : tensor<64x64xf16>, tensor<64x64xf16>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%0 : tensor<64x64xf32>) outs(%s : tensor<64xf32>) {
  ^bb0(%p: f32, %o: f32):
    %q = arith.addf %p, %o : f32
    linalg.yield %q : f32
  } -> tensor<64xf32>
  return %1 : tensor<64xf32>
}

// -----

// expected-error @below {{the module has 0 tasks; exactly 1 is needed}}
module {}

// -----

// expected-error @below {{the contraction has not M, N and one K; accepted are matmul and batch matmul}}
func.func @dot(%a: tensor<64xf16>, %f: tensor<f32>) -> tensor<f32> {
  %0 = linalg.dot ins(%a, %a : tensor<64xf16>, tensor<64xf16>) outs(%f : tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// expected-error @below {{there is no skeleton for 'linalg.generic', which sums over another space than the rest of the group; accepted are contractions, rows that are summed over trailing dimensions, and elementwise groups}}
func.func @spaces(%x: tensor<64x256xf32>, %y: tensor<64x128xf32>, %f: tensor<64xf32>) -> tensor<64xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x256xf32>) outs(%f : tensor<64xf32>) {
  ^bb0(%p: f32, %o: f32):
    %q = arith.addf %p, %o : f32
    linalg.yield %q : f32
  } -> tensor<64xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%y : tensor<64x128xf32>) outs(%0 : tensor<64xf32>) {
  ^bb0(%p: f32, %o: f32):
    %q = arith.addf %p, %o : f32
    linalg.yield %q : f32
  } -> tensor<64xf32>
  return %1 : tensor<64xf32>
}

// -----

// expected-error @below {{there is no skeleton for 'linalg.generic', which sums over 2 dimensions where another operation sums over 1; accepted are contractions, rows that are summed over trailing dimensions, and elementwise groups}}
func.func @ranks(%x: tensor<8x64x256xf32>, %f: tensor<8x64xf32>, %g: tensor<8xf32>) -> (tensor<8x64xf32>, tensor<8xf32>) {
  %0 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x : tensor<8x64x256xf32>) outs(%f : tensor<8x64xf32>) {
  ^bb0(%p: f32, %o: f32):
    %q = arith.addf %p, %o : f32
    linalg.yield %q : f32
  } -> tensor<8x64xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b)>], iterator_types = ["parallel", "reduction", "reduction"]} ins(%x : tensor<8x64x256xf32>) outs(%g : tensor<8xf32>) {
  ^bb0(%p: f32, %o: f32):
    %q = arith.addf %p, %o : f32
    linalg.yield %q : f32
  } -> tensor<8xf32>
  return %0, %1 : tensor<8x64xf32>, tensor<8xf32>
}

// -----

// expected-error @below {{dimension 2 of 'linalg.matmul' has size 0; at least 1 is needed}}
func.func @task(%a: tensor<128x0xf16>, %b: tensor<0x256xf16>) -> tensor<128x256xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x256xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<128x256xf32>) -> tensor<128x256xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<128x0xf16>, tensor<0x256xf16>) outs(%f : tensor<128x256xf32>) -> tensor<128x256xf32>
  return %0 : tensor<128x256xf32>
}

// -----

// expected-error @below {{a contraction of i8 and i8 with sums of f32 has no kernel on sm_80; accepted are sums of the same kind that are no narrower}}
func.func @kinds(%a: tensor<64x64xi8>, %f: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = linalg.matmul ins(%a, %a : tensor<64x64xi8>, tensor<64x64xi8>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}
