// RUN: kz-opt %s --transform-interpreter --kz-to-tile | FileCheck %s
// A row of 1000 elements is dealt as 1024, and what is beyond counts as nothing.

#id = affine_map<(i, j) -> (i, j)>
#red = affine_map<(i, j) -> (i)>
#col = affine_map<(i, j) -> (j)>
#one = affine_map<(i) -> (i)>
module attributes {transform.with_named_sequence} {
func.func @layernorm(%x: tensor<8192x1000xf16>, %g: tensor<1000xf16>, %b: tensor<1000xf16>) -> tensor<8192x1000xf16> {
  %z = arith.constant 0.0 : f32
  %mz = arith.constant -0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %n = arith.constant 1000.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %half = arith.constant 0.5 : f32
  %oneF = arith.constant 1.0 : f32
  %rs2 = arith.constant 0.70710678118654752 : f32
  %e1 = tensor.empty() : tensor<8192xf32>
  %e2 = tensor.empty() : tensor<8192x1000xf32>
  %e3 = tensor.empty() : tensor<8192x1000xf16>
  %f0 = linalg.fill ins(%z : f32) outs(%e1 : tensor<8192xf32>) -> tensor<8192xf32>
  %fm = linalg.fill ins(%ninf : f32) outs(%e1 : tensor<8192xf32>) -> tensor<8192xf32>
  %sum = linalg.generic {indexing_maps = [#id, #red], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8192x1000xf16>) outs(%f0 : tensor<8192xf32>) {
  ^bb0(%a: f16, %o: f32):
    %w = arith.extf %a : f16 to f32
    %m = arith.addf %w, %o : f32
    linalg.yield %m : f32
  } -> tensor<8192xf32>
  %mean = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]} ins(%sum : tensor<8192xf32>) outs(%e1 : tensor<8192xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.divf %a, %n : f32
    linalg.yield %m : f32
  } -> tensor<8192xf32>
  %var = linalg.generic {indexing_maps = [#id, #red, #red], iterator_types = ["parallel", "reduction"]} ins(%x, %mean : tensor<8192x1000xf16>, tensor<8192xf32>) outs(%f0 : tensor<8192xf32>) {
  ^bb0(%a: f16, %mu: f32, %o: f32):
    %w = arith.extf %a : f16 to f32
    %d = arith.subf %w, %mu : f32
    %q = arith.mulf %d, %d : f32
    %m = arith.addf %q, %o : f32
    linalg.yield %m : f32
  } -> tensor<8192xf32>
  %rstd = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]} ins(%var : tensor<8192xf32>) outs(%e1 : tensor<8192xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.divf %a, %n : f32
    %v = arith.addf %m, %eps : f32
    %q = math.rsqrt %v : f32
    linalg.yield %q : f32
  } -> tensor<8192xf32>
  %r = linalg.generic {indexing_maps = [#id, #red, #red, #col, #col, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %mean, %rstd, %g, %b : tensor<8192x1000xf16>, tensor<8192xf32>, tensor<8192xf32>, tensor<1000xf16>, tensor<1000xf16>) outs(%e3 : tensor<8192x1000xf16>) {
  ^bb0(%a: f16, %mu: f32, %rs: f32, %ga: f16, %be: f16, %o: f16):
    %w = arith.extf %a : f16 to f32
    %gw = arith.extf %ga : f16 to f32
    %bw = arith.extf %be : f16 to f32
    %d = arith.subf %w, %mu : f32
    %h = arith.mulf %d, %rs : f32
    %k = arith.mulf %h, %gw : f32
    %l = arith.addf %k, %bw : f32
    %t = arith.truncf %l : f32 to f16
    linalg.yield %t : f16
  } -> tensor<8192x1000xf16>
  return %r : tensor<8192x1000xf16>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %t = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %sum, %mean, %var, %rstd, %out = transform.kz.body %t
  %o, %s, %mu, %v, %rs, %grid = transform.kz.tile_grid %out fuse(%sum, %mean, %var, %rstd) tile [1, 0]
  %in = transform.kz.stage %o task_input(0) registers copy(plain) width(16)
  transform.kz.tile_threads %grid dim(1) threads(128) vector(8)
  transform.kz.reduce %s combine [shuffle, shared]
  transform.kz.reduce %v combine [shuffle, shared]
  transform.yield
}
}

// CHECK: kz.kernel @layernorm({{.*}}) grid [8192, 1, 1] threads 128
// CHECK: %[[X:.+]] = kz.load %arg0[%{{.*}}, %{{.*}}] extents[%{{.*}}, %{{.*}}] : memref<8192x1000xf16> -> !kz.tile<1x1024xf16
// CHECK: kz.clip %{{.*}} fill(-0.000000e+00 : f32)
// CHECK: kz.reduce add %{{.*}} dims [1] combine [shuffle, shared]
// CHECK-NOT: kz.load %arg0
// CHECK: kz.reduce add
// CHECK: kz.load %arg1
// CHECK: kz.load %arg2
// CHECK: kz.store %{{.*}}, %arg3[%{{.*}}, %{{.*}}] extents
