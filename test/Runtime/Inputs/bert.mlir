// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#map = affine_map<(d0, d1, d2) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (0, d1, d2)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map7 = affine_map<(d0, d1, d2) -> (d2)>
#map8 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map9 = affine_map<(d0, d1, d2) -> (d1, d2)>
module {
  func.func @main(%cst: tensor<1x128xi64>, %arg0: tensor<8x128xi64>, %arg1: tensor<30522x768xf16>, %arg2: tensor<512x768xf16>, %arg3: tensor<2x768xf16>, %arg4: tensor<3072xf16>, %arg5: tensor<3072xf16>, %arg6: tensor<768x768xf16>, %arg7: tensor<8x1x128x128xi1>, %arg8: tensor<768x768xf16>, %arg9: tensor<768x768xf16>, %arg10: tensor<768x768xf16>, %arg11: tensor<768x768xf16>, %arg12: tensor<768x3072xf16>, %arg13: tensor<3072x768xf16>, %arg14: tensor<768x768xf16>, %arg15: tensor<768x768xf16>, %arg16: tensor<768x768xf16>, %arg17: tensor<768x768xf16>, %arg18: tensor<768x3072xf16>, %arg19: tensor<3072x768xf16>) -> (tensor<8x128x768xf16>, tensor<8x768xf16>) {
    %cst_0 = arith.constant dense<0> : tensor<8x128xi64>
    %0 = tensor.empty() : tensor<8x128x768xf16>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<8x128xi64>) outs(%0 : tensor<8x128x768xf16>) {
    ^bb0(%in: i64, %out: f16):
      %c0_i64 = arith.constant 0 : i64
      %231 = arith.cmpi slt, %in, %c0_i64 : i64
      %c30522_i64 = arith.constant 30522 : i64
      %232 = arith.addi %in, %c30522_i64 : i64
      %233 = arith.select %231, %232, %in : i64
      %234 = arith.maxsi %233, %c0_i64 : i64
      %c30521_i64 = arith.constant 30521 : i64
      %235 = arith.minsi %234, %c30521_i64 : i64
      %236 = arith.index_cast %235 : i64 to index
      %237 = linalg.index 2 : index
      %extracted = tensor.extract %arg1[%236, %237] : tensor<30522x768xf16>
      linalg.yield %extracted : f16
    } -> tensor<8x128x768xf16>
    %2 = tensor.empty() : tensor<8x128x768xf16>
    %3 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_0 : tensor<8x128xi64>) outs(%2 : tensor<8x128x768xf16>) {
    ^bb0(%in: i64, %out: f16):
      %c0_i64 = arith.constant 0 : i64
      %231 = arith.cmpi slt, %in, %c0_i64 : i64
      %c2_i64 = arith.constant 2 : i64
      %232 = arith.addi %in, %c2_i64 : i64
      %233 = arith.select %231, %232, %in : i64
      %234 = arith.maxsi %233, %c0_i64 : i64
      %c1_i64 = arith.constant 1 : i64
      %235 = arith.minsi %234, %c1_i64 : i64
      %236 = arith.index_cast %235 : i64 to index
      %237 = linalg.index 2 : index
      %extracted = tensor.extract %arg3[%236, %237] : tensor<2x768xf16>
      linalg.yield %extracted : f16
    } -> tensor<8x128x768xf16>
    %4 = tensor.empty() : tensor<8x128x768xf16>
    %5 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %3 : tensor<8x128x768xf16>, tensor<8x128x768xf16>) outs(%4 : tensor<8x128x768xf16>) {
    ^bb0(%in: f16, %in_82: f16, %out: f16):
      %231 = arith.addf %in, %in_82 : f16
      linalg.yield %231 : f16
    } -> tensor<8x128x768xf16>
    %6 = tensor.empty() : tensor<1x128x768xf16>
    %7 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst : tensor<1x128xi64>) outs(%6 : tensor<1x128x768xf16>) {
    ^bb0(%in: i64, %out: f16):
      %c0_i64 = arith.constant 0 : i64
      %231 = arith.cmpi slt, %in, %c0_i64 : i64
      %c512_i64 = arith.constant 512 : i64
      %232 = arith.addi %in, %c512_i64 : i64
      %233 = arith.select %231, %232, %in : i64
      %234 = arith.maxsi %233, %c0_i64 : i64
      %c511_i64 = arith.constant 511 : i64
      %235 = arith.minsi %234, %c511_i64 : i64
      %236 = arith.index_cast %235 : i64 to index
      %237 = linalg.index 2 : index
      %extracted = tensor.extract %arg2[%236, %237] : tensor<512x768xf16>
      linalg.yield %extracted : f16
    } -> tensor<1x128x768xf16>
    %8 = tensor.empty() : tensor<8x128x768xf16>
    %9 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5, %7 : tensor<8x128x768xf16>, tensor<1x128x768xf16>) outs(%8 : tensor<8x128x768xf16>) {
    ^bb0(%in: f16, %in_82: f16, %out: f16):
      %231 = arith.addf %in, %in_82 : f16
      linalg.yield %231 : f16
    } -> tensor<8x128x768xf16>
    %cst_1 = arith.constant 0.000000e+00 : f32
    %10 = tensor.empty() : tensor<8x128xf32>
    %11 = linalg.fill ins(%cst_1 : f32) outs(%10 : tensor<8x128xf32>) -> tensor<8x128xf32>
    %12 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%9 : tensor<8x128x768xf16>) outs(%11 : tensor<8x128xf32>) {
    ^bb0(%in: f16, %out: f32):
      %231 = arith.extf %in : f16 to f32
      %232 = arith.addf %231, %out : f32
      linalg.yield %232 : f32
    } -> tensor<8x128xf32>
    %13 = tensor.empty() : tensor<8x128xf32>
    %14 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%12 : tensor<8x128xf32>) outs(%13 : tensor<8x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_82 = arith.constant 7.680000e+02 : f32
      %231 = arith.divf %in, %cst_82 : f32
      linalg.yield %231 : f32
    } -> tensor<8x128xf32>
    %cst_2 = arith.constant 0.000000e+00 : f32
    %15 = tensor.empty() : tensor<8x128xf32>
    %16 = linalg.fill ins(%cst_2 : f32) outs(%15 : tensor<8x128xf32>) -> tensor<8x128xf32>
    %17 = linalg.generic {indexing_maps = [#map1, #map, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%9, %14 : tensor<8x128x768xf16>, tensor<8x128xf32>) outs(%16 : tensor<8x128xf32>) {
    ^bb0(%in: f16, %in_82: f32, %out: f32):
      %231 = arith.extf %in : f16 to f32
      %232 = arith.subf %231, %in_82 : f32
      %233 = arith.mulf %232, %232 : f32
      %234 = arith.addf %233, %out : f32
      linalg.yield %234 : f32
    } -> tensor<8x128xf32>
    %18 = tensor.empty() : tensor<8x128xf32>
    %19 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%17 : tensor<8x128xf32>) outs(%18 : tensor<8x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_82 = arith.constant 7.680000e+02 : f32
      %231 = arith.divf %in, %cst_82 : f32
      %cst_83 = arith.constant 9.99999996E-13 : f32
      %232 = arith.addf %231, %cst_83 : f32
      %233 = math.rsqrt %232 : f32
      linalg.yield %233 : f32
    } -> tensor<8x128xf32>
    %20 = tensor.empty() : tensor<8x128x768xf16>
    %21 = linalg.generic {indexing_maps = [#map1, #map, #map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9, %14, %19 : tensor<8x128x768xf16>, tensor<8x128xf32>, tensor<8x128xf32>) outs(%20 : tensor<8x128x768xf16>) {
    ^bb0(%in: f16, %in_82: f32, %in_83: f32, %out: f16):
      %cst_84 = arith.constant 1.000000e+00 : f16
      %cst_85 = arith.constant 0.000000e+00 : f16
      %231 = arith.extf %in : f16 to f32
      %232 = arith.subf %231, %in_82 : f32
      %233 = arith.mulf %232, %in_83 : f32
      %cst_86 = arith.constant 1.000000e+00 : f32
      %234 = arith.mulf %233, %cst_86 : f32
      %cst_87 = arith.constant 0.000000e+00 : f32
      %235 = arith.addf %234, %cst_87 : f32
      %236 = arith.truncf %235 : f32 to f16
      linalg.yield %236 : f16
    } -> tensor<8x128x768xf16>
    %22 = tensor.empty() : tensor<8x1x128x128xf16>
    %23 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg7 : tensor<8x1x128x128xi1>) outs(%22 : tensor<8x1x128x128xf16>) {
    ^bb0(%in: i1, %out: f16):
      %cst_82 = arith.constant 0.000000e+00 : f16
      %cst_83 = arith.constant -6.550400e+04 : f16
      %231 = arith.select %in, %cst_82, %cst_83 : f16
      linalg.yield %231 : f16
    } -> tensor<8x1x128x128xf16>
    %collapsed = tensor.collapse_shape %21 [[0, 1], [2]] : tensor<8x128x768xf16> into tensor<1024x768xf16>
    %cst_3 = arith.constant 0.000000e+00 : f32
    %24 = tensor.empty() : tensor<1024x768xf32>
    %25 = linalg.fill ins(%cst_3 : f32) outs(%24 : tensor<1024x768xf32>) -> tensor<1024x768xf32>
    %26 = linalg.matmul ins(%collapsed, %arg8 : tensor<1024x768xf16>, tensor<768x768xf16>) outs(%25 : tensor<1024x768xf32>) -> tensor<1024x768xf32>
    %27 = tensor.empty() : tensor<1024x768xf16>
    %28 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%26 : tensor<1024x768xf32>) outs(%27 : tensor<1024x768xf16>) {
    ^bb0(%in: f32, %out: f16):
      %231 = arith.truncf %in : f32 to f16
      linalg.yield %231 : f16
    } -> tensor<1024x768xf16>
    %expanded = tensor.expand_shape %28 [[0, 1], [2]] output_shape [8, 128, 768] : tensor<1024x768xf16> into tensor<8x128x768xf16>
    %29 = tensor.empty() : tensor<8x128x768xf16>
    %30 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded : tensor<8x128x768xf16>) outs(%29 : tensor<8x128x768xf16>) {
    ^bb0(%in: f16, %out: f16):
      %cst_82 = arith.constant 0.000000e+00 : f16
      %231 = arith.addf %in, %cst_82 : f16
      linalg.yield %231 : f16
    } -> tensor<8x128x768xf16>
    %expanded_4 = tensor.expand_shape %30 [[0], [1], [2, 3]] output_shape [8, 128, 12, 64] : tensor<8x128x768xf16> into tensor<8x128x12x64xf16>
    %31 = tensor.empty() : tensor<8x12x128x64xf16>
    %transposed = linalg.transpose ins(%expanded_4 : tensor<8x128x12x64xf16>) outs(%31 : tensor<8x12x128x64xf16>) permutation = [0, 2, 1, 3] 
    %collapsed_5 = tensor.collapse_shape %21 [[0, 1], [2]] : tensor<8x128x768xf16> into tensor<1024x768xf16>
    %cst_6 = arith.constant 0.000000e+00 : f32
    %32 = tensor.empty() : tensor<1024x768xf32>
    %33 = linalg.fill ins(%cst_6 : f32) outs(%32 : tensor<1024x768xf32>) -> tensor<1024x768xf32>
    %34 = linalg.matmul ins(%collapsed_5, %arg9 : tensor<1024x768xf16>, tensor<768x768xf16>) outs(%33 : tensor<1024x768xf32>) -> tensor<1024x768xf32>
    %35 = tensor.empty() : tensor<1024x768xf16>
    %36 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%34 : tensor<1024x768xf32>) outs(%35 : tensor<1024x768xf16>) {
    ^bb0(%in: f32, %out: f16):
      %231 = arith.truncf %in : f32 to f16
      linalg.yield %231 : f16
    } -> tensor<1024x768xf16>
    %expanded_7 = tensor.expand_shape %36 [[0, 1], [2]] output_shape [8, 128, 768] : tensor<1024x768xf16> into tensor<8x128x768xf16>
    %37 = tensor.empty() : tensor<8x128x768xf16>
    %38 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_7 : tensor<8x128x768xf16>) outs(%37 : tensor<8x128x768xf16>) {
    ^bb0(%in: f16, %out: f16):
      %cst_82 = arith.constant 0.000000e+00 : f16
      %231 = arith.addf %in, %cst_82 : f16
      linalg.yield %231 : f16
    } -> tensor<8x128x768xf16>
    %expanded_8 = tensor.expand_shape %38 [[0], [1], [2, 3]] output_shape [8, 128, 12, 64] : tensor<8x128x768xf16> into tensor<8x128x12x64xf16>
    %collapsed_9 = tensor.collapse_shape %21 [[0, 1], [2]] : tensor<8x128x768xf16> into tensor<1024x768xf16>
    %cst_10 = arith.constant 0.000000e+00 : f32
    %39 = tensor.empty() : tensor<1024x768xf32>
    %40 = linalg.fill ins(%cst_10 : f32) outs(%39 : tensor<1024x768xf32>) -> tensor<1024x768xf32>
    %41 = linalg.matmul ins(%collapsed_9, %arg10 : tensor<1024x768xf16>, tensor<768x768xf16>) outs(%40 : tensor<1024x768xf32>) -> tensor<1024x768xf32>
    %42 = tensor.empty() : tensor<1024x768xf16>
    %43 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%41 : tensor<1024x768xf32>) outs(%42 : tensor<1024x768xf16>) {
    ^bb0(%in: f32, %out: f16):
      %231 = arith.truncf %in : f32 to f16
      linalg.yield %231 : f16
    } -> tensor<1024x768xf16>
    %expanded_11 = tensor.expand_shape %43 [[0, 1], [2]] output_shape [8, 128, 768] : tensor<1024x768xf16> into tensor<8x128x768xf16>
    %44 = tensor.empty() : tensor<8x128x768xf16>
    %45 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_11 : tensor<8x128x768xf16>) outs(%44 : tensor<8x128x768xf16>) {
    ^bb0(%in: f16, %out: f16):
      %cst_82 = arith.constant 0.000000e+00 : f16
      %231 = arith.addf %in, %cst_82 : f16
      linalg.yield %231 : f16
    } -> tensor<8x128x768xf16>
    %expanded_12 = tensor.expand_shape %45 [[0], [1], [2, 3]] output_shape [8, 128, 12, 64] : tensor<8x128x768xf16> into tensor<8x128x12x64xf16>
    %46 = tensor.empty() : tensor<8x12x128x64xf16>
    %transposed_13 = linalg.transpose ins(%expanded_12 : tensor<8x128x12x64xf16>) outs(%46 : tensor<8x12x128x64xf16>) permutation = [0, 2, 1, 3] 
    %47 = tensor.empty() : tensor<8x12x64x128xf16>
    %transposed_14 = linalg.transpose ins(%expanded_8 : tensor<8x128x12x64xf16>) outs(%47 : tensor<8x12x64x128xf16>) permutation = [0, 2, 3, 1] 
    %collapsed_15 = tensor.collapse_shape %transposed [[0, 1], [2], [3]] : tensor<8x12x128x64xf16> into tensor<96x128x64xf16>
    %collapsed_16 = tensor.collapse_shape %transposed_14 [[0, 1], [2], [3]] : tensor<8x12x64x128xf16> into tensor<96x64x128xf16>
    %cst_17 = arith.constant 0.000000e+00 : f32
    %48 = tensor.empty() : tensor<96x128x128xf32>
    %49 = linalg.fill ins(%cst_17 : f32) outs(%48 : tensor<96x128x128xf32>) -> tensor<96x128x128xf32>
    %50 = linalg.batch_matmul ins(%collapsed_15, %collapsed_16 : tensor<96x128x64xf16>, tensor<96x64x128xf16>) outs(%49 : tensor<96x128x128xf32>) -> tensor<96x128x128xf32>
    %51 = tensor.empty() : tensor<96x128x128xf16>
    %52 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%50 : tensor<96x128x128xf32>) outs(%51 : tensor<96x128x128xf16>) {
    ^bb0(%in: f32, %out: f16):
      %231 = arith.truncf %in : f32 to f16
      linalg.yield %231 : f16
    } -> tensor<96x128x128xf16>
    %expanded_18 = tensor.expand_shape %52 [[0, 1], [2], [3]] output_shape [8, 12, 128, 128] : tensor<96x128x128xf16> into tensor<8x12x128x128xf16>
    %53 = tensor.empty() : tensor<8x12x128x128xf16>
    %54 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_18 : tensor<8x12x128x128xf16>) outs(%53 : tensor<8x12x128x128xf16>) {
    ^bb0(%in: f16, %out: f16):
      %cst_82 = arith.constant 1.250000e-01 : f16
      %231 = arith.mulf %in, %cst_82 : f16
      linalg.yield %231 : f16
    } -> tensor<8x12x128x128xf16>
    %55 = tensor.empty() : tensor<8x12x128x128xf16>
    %56 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%54, %23 : tensor<8x12x128x128xf16>, tensor<8x1x128x128xf16>) outs(%55 : tensor<8x12x128x128xf16>) {
    ^bb0(%in: f16, %in_82: f16, %out: f16):
      %231 = arith.addf %in, %in_82 : f16
      linalg.yield %231 : f16
    } -> tensor<8x12x128x128xf16>
    %cst_19 = arith.constant 0xFF800000 : f32
    %57 = tensor.empty() : tensor<8x12x128xf32>
    %58 = linalg.fill ins(%cst_19 : f32) outs(%57 : tensor<8x12x128xf32>) -> tensor<8x12x128xf32>
    %59 = linalg.generic {indexing_maps = [#map4, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%56 : tensor<8x12x128x128xf16>) outs(%58 : tensor<8x12x128xf32>) {
    ^bb0(%in: f16, %out: f32):
      %231 = arith.extf %in : f16 to f32
      %232 = arith.maximumf %231, %out : f32
      linalg.yield %232 : f32
    } -> tensor<8x12x128xf32>
    %60 = tensor.empty() : tensor<8x12x128x128xf32>
    %61 = linalg.generic {indexing_maps = [#map4, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%56, %59 : tensor<8x12x128x128xf16>, tensor<8x12x128xf32>) outs(%60 : tensor<8x12x128x128xf32>) {
    ^bb0(%in: f16, %in_82: f32, %out: f32):
      %231 = arith.extf %in : f16 to f32
      %232 = arith.subf %231, %in_82 : f32
      %233 = math.exp %232 : f32
      linalg.yield %233 : f32
    } -> tensor<8x12x128x128xf32>
    %cst_20 = arith.constant 0.000000e+00 : f32
    %62 = tensor.empty() : tensor<8x12x128xf32>
    %63 = linalg.fill ins(%cst_20 : f32) outs(%62 : tensor<8x12x128xf32>) -> tensor<8x12x128xf32>
    %64 = linalg.generic {indexing_maps = [#map4, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%61 : tensor<8x12x128x128xf32>) outs(%63 : tensor<8x12x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %231 = arith.addf %in, %out : f32
      linalg.yield %231 : f32
    } -> tensor<8x12x128xf32>
    %65 = tensor.empty() : tensor<8x12x128x128xf16>
    %66 = linalg.generic {indexing_maps = [#map4, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%61, %64 : tensor<8x12x128x128xf32>, tensor<8x12x128xf32>) outs(%65 : tensor<8x12x128x128xf16>) {
    ^bb0(%in: f32, %in_82: f32, %out: f16):
      %231 = arith.divf %in, %in_82 : f32
      %232 = arith.truncf %231 : f32 to f16
      linalg.yield %232 : f16
    } -> tensor<8x12x128x128xf16>
    %collapsed_21 = tensor.collapse_shape %66 [[0, 1], [2], [3]] : tensor<8x12x128x128xf16> into tensor<96x128x128xf16>
    %collapsed_22 = tensor.collapse_shape %transposed_13 [[0, 1], [2], [3]] : tensor<8x12x128x64xf16> into tensor<96x128x64xf16>
    %cst_23 = arith.constant 0.000000e+00 : f32
    %67 = tensor.empty() : tensor<96x128x64xf32>
    %68 = linalg.fill ins(%cst_23 : f32) outs(%67 : tensor<96x128x64xf32>) -> tensor<96x128x64xf32>
    %69 = linalg.batch_matmul ins(%collapsed_21, %collapsed_22 : tensor<96x128x128xf16>, tensor<96x128x64xf16>) outs(%68 : tensor<96x128x64xf32>) -> tensor<96x128x64xf32>
    %70 = tensor.empty() : tensor<96x128x64xf16>
    %71 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%69 : tensor<96x128x64xf32>) outs(%70 : tensor<96x128x64xf16>) {
    ^bb0(%in: f32, %out: f16):
      %231 = arith.truncf %in : f32 to f16
      linalg.yield %231 : f16
    } -> tensor<96x128x64xf16>
    %expanded_24 = tensor.expand_shape %71 [[0, 1], [2], [3]] output_shape [8, 12, 128, 64] : tensor<96x128x64xf16> into tensor<8x12x128x64xf16>
    %72 = tensor.empty() : tensor<8x128x12x64xf16>
    %transposed_25 = linalg.transpose ins(%expanded_24 : tensor<8x12x128x64xf16>) outs(%72 : tensor<8x128x12x64xf16>) permutation = [0, 2, 1, 3] 
    %collapsed_26 = tensor.collapse_shape %transposed_25 [[0], [1], [2, 3]] : tensor<8x128x12x64xf16> into tensor<8x128x768xf16>
    %collapsed_27 = tensor.collapse_shape %collapsed_26 [[0, 1], [2]] : tensor<8x128x768xf16> into tensor<1024x768xf16>
    %cst_28 = arith.constant 0.000000e+00 : f32
    %73 = tensor.empty() : tensor<1024x768xf32>
    %74 = linalg.fill ins(%cst_28 : f32) outs(%73 : tensor<1024x768xf32>) -> tensor<1024x768xf32>
    %75 = linalg.matmul ins(%collapsed_27, %arg11 : tensor<1024x768xf16>, tensor<768x768xf16>) outs(%74 : tensor<1024x768xf32>) -> tensor<1024x768xf32>
    %76 = tensor.empty() : tensor<1024x768xf16>
    %77 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%75 : tensor<1024x768xf32>) outs(%76 : tensor<1024x768xf16>) {
    ^bb0(%in: f32, %out: f16):
      %231 = arith.truncf %in : f32 to f16
      linalg.yield %231 : f16
    } -> tensor<1024x768xf16>
    %expanded_29 = tensor.expand_shape %77 [[0, 1], [2]] output_shape [8, 128, 768] : tensor<1024x768xf16> into tensor<8x128x768xf16>
    %78 = tensor.empty() : tensor<8x128x768xf16>
    %79 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_29 : tensor<8x128x768xf16>) outs(%78 : tensor<8x128x768xf16>) {
    ^bb0(%in: f16, %out: f16):
      %cst_82 = arith.constant 0.000000e+00 : f16
      %231 = arith.addf %in, %cst_82 : f16
      linalg.yield %231 : f16
    } -> tensor<8x128x768xf16>
    %80 = tensor.empty() : tensor<8x128x768xf16>
    %81 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%79, %21 : tensor<8x128x768xf16>, tensor<8x128x768xf16>) outs(%80 : tensor<8x128x768xf16>) {
    ^bb0(%in: f16, %in_82: f16, %out: f16):
      %231 = arith.addf %in, %in_82 : f16
      linalg.yield %231 : f16
    } -> tensor<8x128x768xf16>
    %cst_30 = arith.constant 0.000000e+00 : f32
    %82 = tensor.empty() : tensor<8x128xf32>
    %83 = linalg.fill ins(%cst_30 : f32) outs(%82 : tensor<8x128xf32>) -> tensor<8x128xf32>
    %84 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%81 : tensor<8x128x768xf16>) outs(%83 : tensor<8x128xf32>) {
    ^bb0(%in: f16, %out: f32):
      %231 = arith.extf %in : f16 to f32
      %232 = arith.addf %231, %out : f32
      linalg.yield %232 : f32
    } -> tensor<8x128xf32>
    %85 = tensor.empty() : tensor<8x128xf32>
    %86 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%84 : tensor<8x128xf32>) outs(%85 : tensor<8x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_82 = arith.constant 7.680000e+02 : f32
      %231 = arith.divf %in, %cst_82 : f32
      linalg.yield %231 : f32
    } -> tensor<8x128xf32>
    %cst_31 = arith.constant 0.000000e+00 : f32
    %87 = tensor.empty() : tensor<8x128xf32>
    %88 = linalg.fill ins(%cst_31 : f32) outs(%87 : tensor<8x128xf32>) -> tensor<8x128xf32>
    %89 = linalg.generic {indexing_maps = [#map1, #map, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%81, %86 : tensor<8x128x768xf16>, tensor<8x128xf32>) outs(%88 : tensor<8x128xf32>) {
    ^bb0(%in: f16, %in_82: f32, %out: f32):
      %231 = arith.extf %in : f16 to f32
      %232 = arith.subf %231, %in_82 : f32
      %233 = arith.mulf %232, %232 : f32
      %234 = arith.addf %233, %out : f32
      linalg.yield %234 : f32
    } -> tensor<8x128xf32>
    %90 = tensor.empty() : tensor<8x128xf32>
    %91 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%89 : tensor<8x128xf32>) outs(%90 : tensor<8x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_82 = arith.constant 7.680000e+02 : f32
      %231 = arith.divf %in, %cst_82 : f32
      %cst_83 = arith.constant 9.99999996E-13 : f32
      %232 = arith.addf %231, %cst_83 : f32
      %233 = math.rsqrt %232 : f32
      linalg.yield %233 : f32
    } -> tensor<8x128xf32>
    %92 = tensor.empty() : tensor<8x128x768xf16>
    %93 = linalg.generic {indexing_maps = [#map1, #map, #map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%81, %86, %91 : tensor<8x128x768xf16>, tensor<8x128xf32>, tensor<8x128xf32>) outs(%92 : tensor<8x128x768xf16>) {
    ^bb0(%in: f16, %in_82: f32, %in_83: f32, %out: f16):
      %cst_84 = arith.constant 1.000000e+00 : f16
      %cst_85 = arith.constant 0.000000e+00 : f16
      %231 = arith.extf %in : f16 to f32
      %232 = arith.subf %231, %in_82 : f32
      %233 = arith.mulf %232, %in_83 : f32
      %cst_86 = arith.constant 1.000000e+00 : f32
      %234 = arith.mulf %233, %cst_86 : f32
      %cst_87 = arith.constant 0.000000e+00 : f32
      %235 = arith.addf %234, %cst_87 : f32
      %236 = arith.truncf %235 : f32 to f16
      linalg.yield %236 : f16
    } -> tensor<8x128x768xf16>
    %collapsed_32 = tensor.collapse_shape %93 [[0, 1], [2]] : tensor<8x128x768xf16> into tensor<1024x768xf16>
    %cst_33 = arith.constant 0.000000e+00 : f32
    %94 = tensor.empty() : tensor<1024x3072xf32>
    %95 = linalg.fill ins(%cst_33 : f32) outs(%94 : tensor<1024x3072xf32>) -> tensor<1024x3072xf32>
    %96 = linalg.matmul ins(%collapsed_32, %arg12 : tensor<1024x768xf16>, tensor<768x3072xf16>) outs(%95 : tensor<1024x3072xf32>) -> tensor<1024x3072xf32>
    %97 = tensor.empty() : tensor<1024x3072xf16>
    %98 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%96 : tensor<1024x3072xf32>) outs(%97 : tensor<1024x3072xf16>) {
    ^bb0(%in: f32, %out: f16):
      %231 = arith.truncf %in : f32 to f16
      linalg.yield %231 : f16
    } -> tensor<1024x3072xf16>
    %expanded_34 = tensor.expand_shape %98 [[0, 1], [2]] output_shape [8, 128, 3072] : tensor<1024x3072xf16> into tensor<8x128x3072xf16>
    %99 = tensor.empty() : tensor<8x128x3072xf16>
    %100 = linalg.generic {indexing_maps = [#map1, #map7, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_34, %arg4 : tensor<8x128x3072xf16>, tensor<3072xf16>) outs(%99 : tensor<8x128x3072xf16>) {
    ^bb0(%in: f16, %in_82: f16, %out: f16):
      %231 = arith.addf %in, %in_82 : f16
      linalg.yield %231 : f16
    } -> tensor<8x128x3072xf16>
    %101 = tensor.empty() : tensor<8x128x3072xf16>
    %102 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%100 : tensor<8x128x3072xf16>) outs(%101 : tensor<8x128x3072xf16>) {
    ^bb0(%in: f16, %out: f16):
      %231 = arith.extf %in : f16 to f32
      %cst_82 = arith.constant 5.000000e-01 : f32
      %232 = arith.mulf %231, %cst_82 : f32
      %cst_83 = arith.constant 0.707106769 : f32
      %233 = arith.mulf %231, %cst_83 : f32
      %234 = math.erf %233 : f32
      %cst_84 = arith.constant 1.000000e+00 : f32
      %235 = arith.addf %234, %cst_84 : f32
      %236 = arith.mulf %232, %235 : f32
      %237 = arith.truncf %236 : f32 to f16
      linalg.yield %237 : f16
    } -> tensor<8x128x3072xf16>
    %collapsed_35 = tensor.collapse_shape %102 [[0, 1], [2]] : tensor<8x128x3072xf16> into tensor<1024x3072xf16>
    %cst_36 = arith.constant 0.000000e+00 : f32
    %103 = tensor.empty() : tensor<1024x768xf32>
    %104 = linalg.fill ins(%cst_36 : f32) outs(%103 : tensor<1024x768xf32>) -> tensor<1024x768xf32>
    %105 = linalg.matmul ins(%collapsed_35, %arg13 : tensor<1024x3072xf16>, tensor<3072x768xf16>) outs(%104 : tensor<1024x768xf32>) -> tensor<1024x768xf32>
    %106 = tensor.empty() : tensor<1024x768xf16>
    %107 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%105 : tensor<1024x768xf32>) outs(%106 : tensor<1024x768xf16>) {
    ^bb0(%in: f32, %out: f16):
      %231 = arith.truncf %in : f32 to f16
      linalg.yield %231 : f16
    } -> tensor<1024x768xf16>
    %expanded_37 = tensor.expand_shape %107 [[0, 1], [2]] output_shape [8, 128, 768] : tensor<1024x768xf16> into tensor<8x128x768xf16>
    %108 = tensor.empty() : tensor<8x128x768xf16>
    %109 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_37 : tensor<8x128x768xf16>) outs(%108 : tensor<8x128x768xf16>) {
    ^bb0(%in: f16, %out: f16):
      %cst_82 = arith.constant 0.000000e+00 : f16
      %231 = arith.addf %in, %cst_82 : f16
      linalg.yield %231 : f16
    } -> tensor<8x128x768xf16>
    %110 = tensor.empty() : tensor<8x128x768xf16>
    %111 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%109, %93 : tensor<8x128x768xf16>, tensor<8x128x768xf16>) outs(%110 : tensor<8x128x768xf16>) {
    ^bb0(%in: f16, %in_82: f16, %out: f16):
      %231 = arith.addf %in, %in_82 : f16
      linalg.yield %231 : f16
    } -> tensor<8x128x768xf16>
    %cst_38 = arith.constant 0.000000e+00 : f32
    %112 = tensor.empty() : tensor<8x128xf32>
    %113 = linalg.fill ins(%cst_38 : f32) outs(%112 : tensor<8x128xf32>) -> tensor<8x128xf32>
    %114 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%111 : tensor<8x128x768xf16>) outs(%113 : tensor<8x128xf32>) {
    ^bb0(%in: f16, %out: f32):
      %231 = arith.extf %in : f16 to f32
      %232 = arith.addf %231, %out : f32
      linalg.yield %232 : f32
    } -> tensor<8x128xf32>
    %115 = tensor.empty() : tensor<8x128xf32>
    %116 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%114 : tensor<8x128xf32>) outs(%115 : tensor<8x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_82 = arith.constant 7.680000e+02 : f32
      %231 = arith.divf %in, %cst_82 : f32
      linalg.yield %231 : f32
    } -> tensor<8x128xf32>
    %cst_39 = arith.constant 0.000000e+00 : f32
    %117 = tensor.empty() : tensor<8x128xf32>
    %118 = linalg.fill ins(%cst_39 : f32) outs(%117 : tensor<8x128xf32>) -> tensor<8x128xf32>
    %119 = linalg.generic {indexing_maps = [#map1, #map, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%111, %116 : tensor<8x128x768xf16>, tensor<8x128xf32>) outs(%118 : tensor<8x128xf32>) {
    ^bb0(%in: f16, %in_82: f32, %out: f32):
      %231 = arith.extf %in : f16 to f32
      %232 = arith.subf %231, %in_82 : f32
      %233 = arith.mulf %232, %232 : f32
      %234 = arith.addf %233, %out : f32
      linalg.yield %234 : f32
    } -> tensor<8x128xf32>
    %120 = tensor.empty() : tensor<8x128xf32>
    %121 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%119 : tensor<8x128xf32>) outs(%120 : tensor<8x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_82 = arith.constant 7.680000e+02 : f32
      %231 = arith.divf %in, %cst_82 : f32
      %cst_83 = arith.constant 9.99999996E-13 : f32
      %232 = arith.addf %231, %cst_83 : f32
      %233 = math.rsqrt %232 : f32
      linalg.yield %233 : f32
    } -> tensor<8x128xf32>
    %122 = tensor.empty() : tensor<8x128x768xf16>
    %123 = linalg.generic {indexing_maps = [#map1, #map, #map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%111, %116, %121 : tensor<8x128x768xf16>, tensor<8x128xf32>, tensor<8x128xf32>) outs(%122 : tensor<8x128x768xf16>) {
    ^bb0(%in: f16, %in_82: f32, %in_83: f32, %out: f16):
      %cst_84 = arith.constant 1.000000e+00 : f16
      %cst_85 = arith.constant 0.000000e+00 : f16
      %231 = arith.extf %in : f16 to f32
      %232 = arith.subf %231, %in_82 : f32
      %233 = arith.mulf %232, %in_83 : f32
      %cst_86 = arith.constant 1.000000e+00 : f32
      %234 = arith.mulf %233, %cst_86 : f32
      %cst_87 = arith.constant 0.000000e+00 : f32
      %235 = arith.addf %234, %cst_87 : f32
      %236 = arith.truncf %235 : f32 to f16
      linalg.yield %236 : f16
    } -> tensor<8x128x768xf16>
    %collapsed_40 = tensor.collapse_shape %123 [[0, 1], [2]] : tensor<8x128x768xf16> into tensor<1024x768xf16>
    %cst_41 = arith.constant 0.000000e+00 : f32
    %124 = tensor.empty() : tensor<1024x768xf32>
    %125 = linalg.fill ins(%cst_41 : f32) outs(%124 : tensor<1024x768xf32>) -> tensor<1024x768xf32>
    %126 = linalg.matmul ins(%collapsed_40, %arg14 : tensor<1024x768xf16>, tensor<768x768xf16>) outs(%125 : tensor<1024x768xf32>) -> tensor<1024x768xf32>
    %127 = tensor.empty() : tensor<1024x768xf16>
    %128 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%126 : tensor<1024x768xf32>) outs(%127 : tensor<1024x768xf16>) {
    ^bb0(%in: f32, %out: f16):
      %231 = arith.truncf %in : f32 to f16
      linalg.yield %231 : f16
    } -> tensor<1024x768xf16>
    %expanded_42 = tensor.expand_shape %128 [[0, 1], [2]] output_shape [8, 128, 768] : tensor<1024x768xf16> into tensor<8x128x768xf16>
    %129 = tensor.empty() : tensor<8x128x768xf16>
    %130 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_42 : tensor<8x128x768xf16>) outs(%129 : tensor<8x128x768xf16>) {
    ^bb0(%in: f16, %out: f16):
      %cst_82 = arith.constant 0.000000e+00 : f16
      %231 = arith.addf %in, %cst_82 : f16
      linalg.yield %231 : f16
    } -> tensor<8x128x768xf16>
    %expanded_43 = tensor.expand_shape %130 [[0], [1], [2, 3]] output_shape [8, 128, 12, 64] : tensor<8x128x768xf16> into tensor<8x128x12x64xf16>
    %131 = tensor.empty() : tensor<8x12x128x64xf16>
    %transposed_44 = linalg.transpose ins(%expanded_43 : tensor<8x128x12x64xf16>) outs(%131 : tensor<8x12x128x64xf16>) permutation = [0, 2, 1, 3] 
    %collapsed_45 = tensor.collapse_shape %123 [[0, 1], [2]] : tensor<8x128x768xf16> into tensor<1024x768xf16>
    %cst_46 = arith.constant 0.000000e+00 : f32
    %132 = tensor.empty() : tensor<1024x768xf32>
    %133 = linalg.fill ins(%cst_46 : f32) outs(%132 : tensor<1024x768xf32>) -> tensor<1024x768xf32>
    %134 = linalg.matmul ins(%collapsed_45, %arg15 : tensor<1024x768xf16>, tensor<768x768xf16>) outs(%133 : tensor<1024x768xf32>) -> tensor<1024x768xf32>
    %135 = tensor.empty() : tensor<1024x768xf16>
    %136 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%134 : tensor<1024x768xf32>) outs(%135 : tensor<1024x768xf16>) {
    ^bb0(%in: f32, %out: f16):
      %231 = arith.truncf %in : f32 to f16
      linalg.yield %231 : f16
    } -> tensor<1024x768xf16>
    %expanded_47 = tensor.expand_shape %136 [[0, 1], [2]] output_shape [8, 128, 768] : tensor<1024x768xf16> into tensor<8x128x768xf16>
    %137 = tensor.empty() : tensor<8x128x768xf16>
    %138 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_47 : tensor<8x128x768xf16>) outs(%137 : tensor<8x128x768xf16>) {
    ^bb0(%in: f16, %out: f16):
      %cst_82 = arith.constant 0.000000e+00 : f16
      %231 = arith.addf %in, %cst_82 : f16
      linalg.yield %231 : f16
    } -> tensor<8x128x768xf16>
    %expanded_48 = tensor.expand_shape %138 [[0], [1], [2, 3]] output_shape [8, 128, 12, 64] : tensor<8x128x768xf16> into tensor<8x128x12x64xf16>
    %collapsed_49 = tensor.collapse_shape %123 [[0, 1], [2]] : tensor<8x128x768xf16> into tensor<1024x768xf16>
    %cst_50 = arith.constant 0.000000e+00 : f32
    %139 = tensor.empty() : tensor<1024x768xf32>
    %140 = linalg.fill ins(%cst_50 : f32) outs(%139 : tensor<1024x768xf32>) -> tensor<1024x768xf32>
    %141 = linalg.matmul ins(%collapsed_49, %arg16 : tensor<1024x768xf16>, tensor<768x768xf16>) outs(%140 : tensor<1024x768xf32>) -> tensor<1024x768xf32>
    %142 = tensor.empty() : tensor<1024x768xf16>
    %143 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%141 : tensor<1024x768xf32>) outs(%142 : tensor<1024x768xf16>) {
    ^bb0(%in: f32, %out: f16):
      %231 = arith.truncf %in : f32 to f16
      linalg.yield %231 : f16
    } -> tensor<1024x768xf16>
    %expanded_51 = tensor.expand_shape %143 [[0, 1], [2]] output_shape [8, 128, 768] : tensor<1024x768xf16> into tensor<8x128x768xf16>
    %144 = tensor.empty() : tensor<8x128x768xf16>
    %145 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_51 : tensor<8x128x768xf16>) outs(%144 : tensor<8x128x768xf16>) {
    ^bb0(%in: f16, %out: f16):
      %cst_82 = arith.constant 0.000000e+00 : f16
      %231 = arith.addf %in, %cst_82 : f16
      linalg.yield %231 : f16
    } -> tensor<8x128x768xf16>
    %expanded_52 = tensor.expand_shape %145 [[0], [1], [2, 3]] output_shape [8, 128, 12, 64] : tensor<8x128x768xf16> into tensor<8x128x12x64xf16>
    %146 = tensor.empty() : tensor<8x12x128x64xf16>
    %transposed_53 = linalg.transpose ins(%expanded_52 : tensor<8x128x12x64xf16>) outs(%146 : tensor<8x12x128x64xf16>) permutation = [0, 2, 1, 3] 
    %147 = tensor.empty() : tensor<8x12x64x128xf16>
    %transposed_54 = linalg.transpose ins(%expanded_48 : tensor<8x128x12x64xf16>) outs(%147 : tensor<8x12x64x128xf16>) permutation = [0, 2, 3, 1] 
    %collapsed_55 = tensor.collapse_shape %transposed_44 [[0, 1], [2], [3]] : tensor<8x12x128x64xf16> into tensor<96x128x64xf16>
    %collapsed_56 = tensor.collapse_shape %transposed_54 [[0, 1], [2], [3]] : tensor<8x12x64x128xf16> into tensor<96x64x128xf16>
    %cst_57 = arith.constant 0.000000e+00 : f32
    %148 = tensor.empty() : tensor<96x128x128xf32>
    %149 = linalg.fill ins(%cst_57 : f32) outs(%148 : tensor<96x128x128xf32>) -> tensor<96x128x128xf32>
    %150 = linalg.batch_matmul ins(%collapsed_55, %collapsed_56 : tensor<96x128x64xf16>, tensor<96x64x128xf16>) outs(%149 : tensor<96x128x128xf32>) -> tensor<96x128x128xf32>
    %151 = tensor.empty() : tensor<96x128x128xf16>
    %152 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%150 : tensor<96x128x128xf32>) outs(%151 : tensor<96x128x128xf16>) {
    ^bb0(%in: f32, %out: f16):
      %231 = arith.truncf %in : f32 to f16
      linalg.yield %231 : f16
    } -> tensor<96x128x128xf16>
    %expanded_58 = tensor.expand_shape %152 [[0, 1], [2], [3]] output_shape [8, 12, 128, 128] : tensor<96x128x128xf16> into tensor<8x12x128x128xf16>
    %153 = tensor.empty() : tensor<8x12x128x128xf16>
    %154 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_58 : tensor<8x12x128x128xf16>) outs(%153 : tensor<8x12x128x128xf16>) {
    ^bb0(%in: f16, %out: f16):
      %cst_82 = arith.constant 1.250000e-01 : f16
      %231 = arith.mulf %in, %cst_82 : f16
      linalg.yield %231 : f16
    } -> tensor<8x12x128x128xf16>
    %155 = tensor.empty() : tensor<8x12x128x128xf16>
    %156 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%154, %23 : tensor<8x12x128x128xf16>, tensor<8x1x128x128xf16>) outs(%155 : tensor<8x12x128x128xf16>) {
    ^bb0(%in: f16, %in_82: f16, %out: f16):
      %231 = arith.addf %in, %in_82 : f16
      linalg.yield %231 : f16
    } -> tensor<8x12x128x128xf16>
    %cst_59 = arith.constant 0xFF800000 : f32
    %157 = tensor.empty() : tensor<8x12x128xf32>
    %158 = linalg.fill ins(%cst_59 : f32) outs(%157 : tensor<8x12x128xf32>) -> tensor<8x12x128xf32>
    %159 = linalg.generic {indexing_maps = [#map4, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%156 : tensor<8x12x128x128xf16>) outs(%158 : tensor<8x12x128xf32>) {
    ^bb0(%in: f16, %out: f32):
      %231 = arith.extf %in : f16 to f32
      %232 = arith.maximumf %231, %out : f32
      linalg.yield %232 : f32
    } -> tensor<8x12x128xf32>
    %160 = tensor.empty() : tensor<8x12x128x128xf32>
    %161 = linalg.generic {indexing_maps = [#map4, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%156, %159 : tensor<8x12x128x128xf16>, tensor<8x12x128xf32>) outs(%160 : tensor<8x12x128x128xf32>) {
    ^bb0(%in: f16, %in_82: f32, %out: f32):
      %231 = arith.extf %in : f16 to f32
      %232 = arith.subf %231, %in_82 : f32
      %233 = math.exp %232 : f32
      linalg.yield %233 : f32
    } -> tensor<8x12x128x128xf32>
    %cst_60 = arith.constant 0.000000e+00 : f32
    %162 = tensor.empty() : tensor<8x12x128xf32>
    %163 = linalg.fill ins(%cst_60 : f32) outs(%162 : tensor<8x12x128xf32>) -> tensor<8x12x128xf32>
    %164 = linalg.generic {indexing_maps = [#map4, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%161 : tensor<8x12x128x128xf32>) outs(%163 : tensor<8x12x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %231 = arith.addf %in, %out : f32
      linalg.yield %231 : f32
    } -> tensor<8x12x128xf32>
    %165 = tensor.empty() : tensor<8x12x128x128xf16>
    %166 = linalg.generic {indexing_maps = [#map4, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%161, %164 : tensor<8x12x128x128xf32>, tensor<8x12x128xf32>) outs(%165 : tensor<8x12x128x128xf16>) {
    ^bb0(%in: f32, %in_82: f32, %out: f16):
      %231 = arith.divf %in, %in_82 : f32
      %232 = arith.truncf %231 : f32 to f16
      linalg.yield %232 : f16
    } -> tensor<8x12x128x128xf16>
    %collapsed_61 = tensor.collapse_shape %166 [[0, 1], [2], [3]] : tensor<8x12x128x128xf16> into tensor<96x128x128xf16>
    %collapsed_62 = tensor.collapse_shape %transposed_53 [[0, 1], [2], [3]] : tensor<8x12x128x64xf16> into tensor<96x128x64xf16>
    %cst_63 = arith.constant 0.000000e+00 : f32
    %167 = tensor.empty() : tensor<96x128x64xf32>
    %168 = linalg.fill ins(%cst_63 : f32) outs(%167 : tensor<96x128x64xf32>) -> tensor<96x128x64xf32>
    %169 = linalg.batch_matmul ins(%collapsed_61, %collapsed_62 : tensor<96x128x128xf16>, tensor<96x128x64xf16>) outs(%168 : tensor<96x128x64xf32>) -> tensor<96x128x64xf32>
    %170 = tensor.empty() : tensor<96x128x64xf16>
    %171 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%169 : tensor<96x128x64xf32>) outs(%170 : tensor<96x128x64xf16>) {
    ^bb0(%in: f32, %out: f16):
      %231 = arith.truncf %in : f32 to f16
      linalg.yield %231 : f16
    } -> tensor<96x128x64xf16>
    %expanded_64 = tensor.expand_shape %171 [[0, 1], [2], [3]] output_shape [8, 12, 128, 64] : tensor<96x128x64xf16> into tensor<8x12x128x64xf16>
    %172 = tensor.empty() : tensor<8x128x12x64xf16>
    %transposed_65 = linalg.transpose ins(%expanded_64 : tensor<8x12x128x64xf16>) outs(%172 : tensor<8x128x12x64xf16>) permutation = [0, 2, 1, 3] 
    %collapsed_66 = tensor.collapse_shape %transposed_65 [[0], [1], [2, 3]] : tensor<8x128x12x64xf16> into tensor<8x128x768xf16>
    %collapsed_67 = tensor.collapse_shape %collapsed_66 [[0, 1], [2]] : tensor<8x128x768xf16> into tensor<1024x768xf16>
    %cst_68 = arith.constant 0.000000e+00 : f32
    %173 = tensor.empty() : tensor<1024x768xf32>
    %174 = linalg.fill ins(%cst_68 : f32) outs(%173 : tensor<1024x768xf32>) -> tensor<1024x768xf32>
    %175 = linalg.matmul ins(%collapsed_67, %arg17 : tensor<1024x768xf16>, tensor<768x768xf16>) outs(%174 : tensor<1024x768xf32>) -> tensor<1024x768xf32>
    %176 = tensor.empty() : tensor<1024x768xf16>
    %177 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%175 : tensor<1024x768xf32>) outs(%176 : tensor<1024x768xf16>) {
    ^bb0(%in: f32, %out: f16):
      %231 = arith.truncf %in : f32 to f16
      linalg.yield %231 : f16
    } -> tensor<1024x768xf16>
    %expanded_69 = tensor.expand_shape %177 [[0, 1], [2]] output_shape [8, 128, 768] : tensor<1024x768xf16> into tensor<8x128x768xf16>
    %178 = tensor.empty() : tensor<8x128x768xf16>
    %179 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_69 : tensor<8x128x768xf16>) outs(%178 : tensor<8x128x768xf16>) {
    ^bb0(%in: f16, %out: f16):
      %cst_82 = arith.constant 0.000000e+00 : f16
      %231 = arith.addf %in, %cst_82 : f16
      linalg.yield %231 : f16
    } -> tensor<8x128x768xf16>
    %180 = tensor.empty() : tensor<8x128x768xf16>
    %181 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%179, %123 : tensor<8x128x768xf16>, tensor<8x128x768xf16>) outs(%180 : tensor<8x128x768xf16>) {
    ^bb0(%in: f16, %in_82: f16, %out: f16):
      %231 = arith.addf %in, %in_82 : f16
      linalg.yield %231 : f16
    } -> tensor<8x128x768xf16>
    %cst_70 = arith.constant 0.000000e+00 : f32
    %182 = tensor.empty() : tensor<8x128xf32>
    %183 = linalg.fill ins(%cst_70 : f32) outs(%182 : tensor<8x128xf32>) -> tensor<8x128xf32>
    %184 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%181 : tensor<8x128x768xf16>) outs(%183 : tensor<8x128xf32>) {
    ^bb0(%in: f16, %out: f32):
      %231 = arith.extf %in : f16 to f32
      %232 = arith.addf %231, %out : f32
      linalg.yield %232 : f32
    } -> tensor<8x128xf32>
    %185 = tensor.empty() : tensor<8x128xf32>
    %186 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%184 : tensor<8x128xf32>) outs(%185 : tensor<8x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_82 = arith.constant 7.680000e+02 : f32
      %231 = arith.divf %in, %cst_82 : f32
      linalg.yield %231 : f32
    } -> tensor<8x128xf32>
    %cst_71 = arith.constant 0.000000e+00 : f32
    %187 = tensor.empty() : tensor<8x128xf32>
    %188 = linalg.fill ins(%cst_71 : f32) outs(%187 : tensor<8x128xf32>) -> tensor<8x128xf32>
    %189 = linalg.generic {indexing_maps = [#map1, #map, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%181, %186 : tensor<8x128x768xf16>, tensor<8x128xf32>) outs(%188 : tensor<8x128xf32>) {
    ^bb0(%in: f16, %in_82: f32, %out: f32):
      %231 = arith.extf %in : f16 to f32
      %232 = arith.subf %231, %in_82 : f32
      %233 = arith.mulf %232, %232 : f32
      %234 = arith.addf %233, %out : f32
      linalg.yield %234 : f32
    } -> tensor<8x128xf32>
    %190 = tensor.empty() : tensor<8x128xf32>
    %191 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%189 : tensor<8x128xf32>) outs(%190 : tensor<8x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_82 = arith.constant 7.680000e+02 : f32
      %231 = arith.divf %in, %cst_82 : f32
      %cst_83 = arith.constant 9.99999996E-13 : f32
      %232 = arith.addf %231, %cst_83 : f32
      %233 = math.rsqrt %232 : f32
      linalg.yield %233 : f32
    } -> tensor<8x128xf32>
    %192 = tensor.empty() : tensor<8x128x768xf16>
    %193 = linalg.generic {indexing_maps = [#map1, #map, #map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%181, %186, %191 : tensor<8x128x768xf16>, tensor<8x128xf32>, tensor<8x128xf32>) outs(%192 : tensor<8x128x768xf16>) {
    ^bb0(%in: f16, %in_82: f32, %in_83: f32, %out: f16):
      %cst_84 = arith.constant 1.000000e+00 : f16
      %cst_85 = arith.constant 0.000000e+00 : f16
      %231 = arith.extf %in : f16 to f32
      %232 = arith.subf %231, %in_82 : f32
      %233 = arith.mulf %232, %in_83 : f32
      %cst_86 = arith.constant 1.000000e+00 : f32
      %234 = arith.mulf %233, %cst_86 : f32
      %cst_87 = arith.constant 0.000000e+00 : f32
      %235 = arith.addf %234, %cst_87 : f32
      %236 = arith.truncf %235 : f32 to f16
      linalg.yield %236 : f16
    } -> tensor<8x128x768xf16>
    %collapsed_72 = tensor.collapse_shape %193 [[0, 1], [2]] : tensor<8x128x768xf16> into tensor<1024x768xf16>
    %cst_73 = arith.constant 0.000000e+00 : f32
    %194 = tensor.empty() : tensor<1024x3072xf32>
    %195 = linalg.fill ins(%cst_73 : f32) outs(%194 : tensor<1024x3072xf32>) -> tensor<1024x3072xf32>
    %196 = linalg.matmul ins(%collapsed_72, %arg18 : tensor<1024x768xf16>, tensor<768x3072xf16>) outs(%195 : tensor<1024x3072xf32>) -> tensor<1024x3072xf32>
    %197 = tensor.empty() : tensor<1024x3072xf16>
    %198 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%196 : tensor<1024x3072xf32>) outs(%197 : tensor<1024x3072xf16>) {
    ^bb0(%in: f32, %out: f16):
      %231 = arith.truncf %in : f32 to f16
      linalg.yield %231 : f16
    } -> tensor<1024x3072xf16>
    %expanded_74 = tensor.expand_shape %198 [[0, 1], [2]] output_shape [8, 128, 3072] : tensor<1024x3072xf16> into tensor<8x128x3072xf16>
    %199 = tensor.empty() : tensor<8x128x3072xf16>
    %200 = linalg.generic {indexing_maps = [#map1, #map7, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_74, %arg5 : tensor<8x128x3072xf16>, tensor<3072xf16>) outs(%199 : tensor<8x128x3072xf16>) {
    ^bb0(%in: f16, %in_82: f16, %out: f16):
      %231 = arith.addf %in, %in_82 : f16
      linalg.yield %231 : f16
    } -> tensor<8x128x3072xf16>
    %201 = tensor.empty() : tensor<8x128x3072xf16>
    %202 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%200 : tensor<8x128x3072xf16>) outs(%201 : tensor<8x128x3072xf16>) {
    ^bb0(%in: f16, %out: f16):
      %231 = arith.extf %in : f16 to f32
      %cst_82 = arith.constant 5.000000e-01 : f32
      %232 = arith.mulf %231, %cst_82 : f32
      %cst_83 = arith.constant 0.707106769 : f32
      %233 = arith.mulf %231, %cst_83 : f32
      %234 = math.erf %233 : f32
      %cst_84 = arith.constant 1.000000e+00 : f32
      %235 = arith.addf %234, %cst_84 : f32
      %236 = arith.mulf %232, %235 : f32
      %237 = arith.truncf %236 : f32 to f16
      linalg.yield %237 : f16
    } -> tensor<8x128x3072xf16>
    %collapsed_75 = tensor.collapse_shape %202 [[0, 1], [2]] : tensor<8x128x3072xf16> into tensor<1024x3072xf16>
    %cst_76 = arith.constant 0.000000e+00 : f32
    %203 = tensor.empty() : tensor<1024x768xf32>
    %204 = linalg.fill ins(%cst_76 : f32) outs(%203 : tensor<1024x768xf32>) -> tensor<1024x768xf32>
    %205 = linalg.matmul ins(%collapsed_75, %arg19 : tensor<1024x3072xf16>, tensor<3072x768xf16>) outs(%204 : tensor<1024x768xf32>) -> tensor<1024x768xf32>
    %206 = tensor.empty() : tensor<1024x768xf16>
    %207 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%205 : tensor<1024x768xf32>) outs(%206 : tensor<1024x768xf16>) {
    ^bb0(%in: f32, %out: f16):
      %231 = arith.truncf %in : f32 to f16
      linalg.yield %231 : f16
    } -> tensor<1024x768xf16>
    %expanded_77 = tensor.expand_shape %207 [[0, 1], [2]] output_shape [8, 128, 768] : tensor<1024x768xf16> into tensor<8x128x768xf16>
    %208 = tensor.empty() : tensor<8x128x768xf16>
    %209 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_77 : tensor<8x128x768xf16>) outs(%208 : tensor<8x128x768xf16>) {
    ^bb0(%in: f16, %out: f16):
      %cst_82 = arith.constant 0.000000e+00 : f16
      %231 = arith.addf %in, %cst_82 : f16
      linalg.yield %231 : f16
    } -> tensor<8x128x768xf16>
    %210 = tensor.empty() : tensor<8x128x768xf16>
    %211 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%209, %193 : tensor<8x128x768xf16>, tensor<8x128x768xf16>) outs(%210 : tensor<8x128x768xf16>) {
    ^bb0(%in: f16, %in_82: f16, %out: f16):
      %231 = arith.addf %in, %in_82 : f16
      linalg.yield %231 : f16
    } -> tensor<8x128x768xf16>
    %cst_78 = arith.constant 0.000000e+00 : f32
    %212 = tensor.empty() : tensor<8x128xf32>
    %213 = linalg.fill ins(%cst_78 : f32) outs(%212 : tensor<8x128xf32>) -> tensor<8x128xf32>
    %214 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%211 : tensor<8x128x768xf16>) outs(%213 : tensor<8x128xf32>) {
    ^bb0(%in: f16, %out: f32):
      %231 = arith.extf %in : f16 to f32
      %232 = arith.addf %231, %out : f32
      linalg.yield %232 : f32
    } -> tensor<8x128xf32>
    %215 = tensor.empty() : tensor<8x128xf32>
    %216 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%214 : tensor<8x128xf32>) outs(%215 : tensor<8x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_82 = arith.constant 7.680000e+02 : f32
      %231 = arith.divf %in, %cst_82 : f32
      linalg.yield %231 : f32
    } -> tensor<8x128xf32>
    %cst_79 = arith.constant 0.000000e+00 : f32
    %217 = tensor.empty() : tensor<8x128xf32>
    %218 = linalg.fill ins(%cst_79 : f32) outs(%217 : tensor<8x128xf32>) -> tensor<8x128xf32>
    %219 = linalg.generic {indexing_maps = [#map1, #map, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%211, %216 : tensor<8x128x768xf16>, tensor<8x128xf32>) outs(%218 : tensor<8x128xf32>) {
    ^bb0(%in: f16, %in_82: f32, %out: f32):
      %231 = arith.extf %in : f16 to f32
      %232 = arith.subf %231, %in_82 : f32
      %233 = arith.mulf %232, %232 : f32
      %234 = arith.addf %233, %out : f32
      linalg.yield %234 : f32
    } -> tensor<8x128xf32>
    %220 = tensor.empty() : tensor<8x128xf32>
    %221 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%219 : tensor<8x128xf32>) outs(%220 : tensor<8x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_82 = arith.constant 7.680000e+02 : f32
      %231 = arith.divf %in, %cst_82 : f32
      %cst_83 = arith.constant 9.99999996E-13 : f32
      %232 = arith.addf %231, %cst_83 : f32
      %233 = math.rsqrt %232 : f32
      linalg.yield %233 : f32
    } -> tensor<8x128xf32>
    %222 = tensor.empty() : tensor<8x128x768xf16>
    %223 = linalg.generic {indexing_maps = [#map1, #map, #map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%211, %216, %221 : tensor<8x128x768xf16>, tensor<8x128xf32>, tensor<8x128xf32>) outs(%222 : tensor<8x128x768xf16>) {
    ^bb0(%in: f16, %in_82: f32, %in_83: f32, %out: f16):
      %cst_84 = arith.constant 1.000000e+00 : f16
      %cst_85 = arith.constant 0.000000e+00 : f16
      %231 = arith.extf %in : f16 to f32
      %232 = arith.subf %231, %in_82 : f32
      %233 = arith.mulf %232, %in_83 : f32
      %cst_86 = arith.constant 1.000000e+00 : f32
      %234 = arith.mulf %233, %cst_86 : f32
      %cst_87 = arith.constant 0.000000e+00 : f32
      %235 = arith.addf %234, %cst_87 : f32
      %236 = arith.truncf %235 : f32 to f16
      linalg.yield %236 : f16
    } -> tensor<8x128x768xf16>
    %extracted_slice = tensor.extract_slice %223[0, 0, 0] [8, 1, 768] [1, 1, 1] : tensor<8x128x768xf16> to tensor<8x1x768xf16>
    %collapsed_80 = tensor.collapse_shape %extracted_slice [[0], [1, 2]] : tensor<8x1x768xf16> into tensor<8x768xf16>
    %cst_81 = arith.constant 0.000000e+00 : f32
    %224 = tensor.empty() : tensor<8x768xf32>
    %225 = linalg.fill ins(%cst_81 : f32) outs(%224 : tensor<8x768xf32>) -> tensor<8x768xf32>
    %226 = linalg.matmul indexing_maps = [#map8, #map9, #map] ins(%collapsed_80, %arg6 : tensor<8x768xf16>, tensor<768x768xf16>) outs(%225 : tensor<8x768xf32>) -> tensor<8x768xf32>
    %227 = tensor.empty() : tensor<8x768xf16>
    %228 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%226 : tensor<8x768xf32>) outs(%227 : tensor<8x768xf16>) {
    ^bb0(%in: f32, %out: f16):
      %231 = arith.truncf %in : f32 to f16
      linalg.yield %231 : f16
    } -> tensor<8x768xf16>
    %229 = tensor.empty() : tensor<8x768xf16>
    %230 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%228 : tensor<8x768xf16>) outs(%229 : tensor<8x768xf16>) {
    ^bb0(%in: f16, %out: f16):
      %231 = arith.extf %in : f16 to f32
      %232 = math.tanh %231 : f32
      %233 = arith.truncf %232 : f32 to f16
      linalg.yield %233 : f16
    } -> tensor<8x768xf16>
    return %223, %230 : tensor<8x128x768xf16>, tensor<8x768xf16>
  }
}
