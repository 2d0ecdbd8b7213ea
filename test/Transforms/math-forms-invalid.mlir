// RUN: kz-opt %s --kz-lower-to-host --verify-diagnostics
#id = affine_map<(i, j) -> (i, j)>
func.func @task(%x: tensor<64x256xf32>) -> tensor<64x256xf32> {
  %e = tensor.empty() : tensor<64x256xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x256xf32>) outs(%e : tensor<64x256xf32>) attrs = {kz.math = #kz.math<"erf", ulp = 3>} {
  ^bb0(%p: f32, %o: f32):
    // expected-error @below {{there is no form of erf of ulp 3; accepted are 2, 8}}
    %q = math.erf %p : f32
    linalg.yield %q : f32
  } -> tensor<64x256xf32>
  return %0 : tensor<64x256xf32>
}
