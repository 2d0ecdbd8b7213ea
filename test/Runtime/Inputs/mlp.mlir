// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @main(%arg0: tensor<128x16384xf32>, %arg1: tensor<16384x16384xf32>, %arg2: tensor<16384xf32>, %arg3: tensor<16384x16384xf32>, %arg4: tensor<16384xf32>, %arg5: tensor<8192x16384xf32>, %arg6: tensor<8192xf32>) -> (tensor<128x8192xf32>) {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<128x16384xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<128x16384xf32>) -> tensor<128x16384xf32>
    %2 = linalg.matmul indexing_maps = [#map, #map1, #map2] ins(%arg0, %arg1 : tensor<128x16384xf32>, tensor<16384x16384xf32>) outs(%1 : tensor<128x16384xf32>) -> tensor<128x16384xf32>
    %3 = tensor.empty() : tensor<128x16384xf32>
    %4 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%2, %arg2 : tensor<128x16384xf32>, tensor<16384xf32>) outs(%3 : tensor<128x16384xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %19 = arith.addf %in, %in_2 : f32
      linalg.yield %19 : f32
    } -> tensor<128x16384xf32>
    %5 = tensor.empty() : tensor<128x16384xf32>
    %6 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<128x16384xf32>) outs(%5 : tensor<128x16384xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_2 = arith.constant 0.000000e+00 : f32
      %19 = arith.maximumf %in, %cst_2 : f32
      linalg.yield %19 : f32
    } -> tensor<128x16384xf32>
    %cst_0 = arith.constant 0.000000e+00 : f32
    %7 = tensor.empty() : tensor<128x16384xf32>
    %8 = linalg.fill ins(%cst_0 : f32) outs(%7 : tensor<128x16384xf32>) -> tensor<128x16384xf32>
    %9 = linalg.matmul indexing_maps = [#map, #map1, #map2] ins(%6, %arg3 : tensor<128x16384xf32>, tensor<16384x16384xf32>) outs(%8 : tensor<128x16384xf32>) -> tensor<128x16384xf32>
    %10 = tensor.empty() : tensor<128x16384xf32>
    %11 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%9, %arg4 : tensor<128x16384xf32>, tensor<16384xf32>) outs(%10 : tensor<128x16384xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %19 = arith.addf %in, %in_2 : f32
      linalg.yield %19 : f32
    } -> tensor<128x16384xf32>
    %12 = tensor.empty() : tensor<128x16384xf32>
    %13 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%11 : tensor<128x16384xf32>) outs(%12 : tensor<128x16384xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_2 = arith.constant 0.000000e+00 : f32
      %19 = arith.maximumf %in, %cst_2 : f32
      linalg.yield %19 : f32
    } -> tensor<128x16384xf32>
    %cst_1 = arith.constant 0.000000e+00 : f32
    %14 = tensor.empty() : tensor<128x8192xf32>
    %15 = linalg.fill ins(%cst_1 : f32) outs(%14 : tensor<128x8192xf32>) -> tensor<128x8192xf32>
    %16 = linalg.matmul indexing_maps = [#map, #map1, #map2] ins(%13, %arg5 : tensor<128x16384xf32>, tensor<8192x16384xf32>) outs(%15 : tensor<128x8192xf32>) -> tensor<128x8192xf32>
    %17 = tensor.empty() : tensor<128x8192xf32>
    %18 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%16, %arg6 : tensor<128x8192xf32>, tensor<8192xf32>) outs(%17 : tensor<128x8192xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %19 = arith.addf %in, %in_2 : f32
      linalg.yield %19 : f32
    } -> tensor<128x8192xf32>
    return %18 : tensor<128x8192xf32>
  }
}
