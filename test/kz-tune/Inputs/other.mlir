// Another layer: 24 rows.
func.func @main(%x: tensor<24x32xf32>, %w: tensor<32x48xf32>, %b: tensor<48xf32>) -> tensor<24x48xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<24x48xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<24x48xf32>) -> tensor<24x48xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<24x32xf32>, tensor<32x48xf32>) outs(%f : tensor<24x48xf32>) -> tensor<24x48xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]} ins(%0, %b : tensor<24x48xf32>, tensor<48xf32>) outs(%e : tensor<24x48xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %s = arith.addf %a, %c : f32
    %r = arith.maximumf %s, %zero : f32
    linalg.yield %r : f32
  } -> tensor<24x48xf32>
  return %1 : tensor<24x48xf32>
}
