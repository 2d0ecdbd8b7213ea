// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#map = affine_map<(d0, d1, d2) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1) -> (d0, d1)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map6 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map7 = affine_map<(d0, d1, d2) -> (d1, d2)>
module {
  func.func @main(%cst: tensor<512x64xf32>, %cst_0: tensor<1x16x64xf32>, %cst_1: tensor<64x192xf32>, %cst_2: tensor<1x1x16x16xf32>, %cst_3: tensor<64x64xf32>, %cst_4: tensor<64x256xf32>, %cst_5: tensor<256x64xf32>, %cst_6: tensor<64x192xf32>, %cst_7: tensor<64x64xf32>, %cst_8: tensor<64x256xf32>, %cst_9: tensor<256x64xf32>, %arg0: tensor<1x16xi64>) -> (tensor<1x16x512xf32>) {
    %0 = tensor.empty() : tensor<1x16x64xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x16xi64>) outs(%0 : tensor<1x16x64xf32>) {
    ^bb0(%in: i64, %out: f32):
      %c0_i64 = arith.constant 0 : i64
      %193 = arith.cmpi slt, %in, %c0_i64 : i64
      %c512_i64 = arith.constant 512 : i64
      %194 = arith.addi %in, %c512_i64 : i64
      %195 = arith.select %193, %194, %in : i64
      %196 = arith.maxsi %195, %c0_i64 : i64
      %c511_i64 = arith.constant 511 : i64
      %197 = arith.minsi %196, %c511_i64 : i64
      %198 = arith.index_cast %197 : i64 to index
      %199 = linalg.index 2 : index
      %extracted = tensor.extract %cst[%198, %199] : tensor<512x64xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x16x64xf32>
    %2 = tensor.empty() : tensor<1x16x64xf32>
    %3 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %cst_0 : tensor<1x16x64xf32>, tensor<1x16x64xf32>) outs(%2 : tensor<1x16x64xf32>) {
    ^bb0(%in: f32, %in_89: f32, %out: f32):
      %193 = arith.addf %in, %in_89 : f32
      linalg.yield %193 : f32
    } -> tensor<1x16x64xf32>
    %cst_10 = arith.constant 0.000000e+00 : f32
    %4 = tensor.empty() : tensor<1x16xf32>
    %5 = linalg.fill ins(%cst_10 : f32) outs(%4 : tensor<1x16xf32>) -> tensor<1x16xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%3 : tensor<1x16x64xf32>) outs(%5 : tensor<1x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.addf %in, %out : f32
      linalg.yield %193 : f32
    } -> tensor<1x16xf32>
    %7 = tensor.empty() : tensor<1x16xf32>
    %8 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<1x16xf32>) outs(%7 : tensor<1x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_89 = arith.constant 6.400000e+01 : f32
      %193 = arith.divf %in, %cst_89 : f32
      linalg.yield %193 : f32
    } -> tensor<1x16xf32>
    %cst_11 = arith.constant 0.000000e+00 : f32
    %9 = tensor.empty() : tensor<1x16xf32>
    %10 = linalg.fill ins(%cst_11 : f32) outs(%9 : tensor<1x16xf32>) -> tensor<1x16xf32>
    %11 = linalg.generic {indexing_maps = [#map1, #map, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%3, %8 : tensor<1x16x64xf32>, tensor<1x16xf32>) outs(%10 : tensor<1x16xf32>) {
    ^bb0(%in: f32, %in_89: f32, %out: f32):
      %193 = arith.subf %in, %in_89 : f32
      %194 = arith.mulf %193, %193 : f32
      %195 = arith.addf %194, %out : f32
      linalg.yield %195 : f32
    } -> tensor<1x16xf32>
    %12 = tensor.empty() : tensor<1x16xf32>
    %13 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%11 : tensor<1x16xf32>) outs(%12 : tensor<1x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_89 = arith.constant 6.400000e+01 : f32
      %193 = arith.divf %in, %cst_89 : f32
      %cst_90 = arith.constant 9.99999974E-6 : f32
      %194 = arith.addf %193, %cst_90 : f32
      %195 = math.rsqrt %194 : f32
      linalg.yield %195 : f32
    } -> tensor<1x16xf32>
    %14 = tensor.empty() : tensor<1x16x64xf32>
    %15 = linalg.generic {indexing_maps = [#map1, #map, #map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3, %8, %13 : tensor<1x16x64xf32>, tensor<1x16xf32>, tensor<1x16xf32>) outs(%14 : tensor<1x16x64xf32>) {
    ^bb0(%in: f32, %in_89: f32, %in_90: f32, %out: f32):
      %cst_91 = arith.constant 1.000000e+00 : f32
      %cst_92 = arith.constant 0.000000e+00 : f32
      %193 = arith.subf %in, %in_89 : f32
      %194 = arith.mulf %193, %in_90 : f32
      %195 = arith.mulf %194, %cst_91 : f32
      %196 = arith.addf %195, %cst_92 : f32
      linalg.yield %196 : f32
    } -> tensor<1x16x64xf32>
    %collapsed = tensor.collapse_shape %15 [[0, 1], [2]] : tensor<1x16x64xf32> into tensor<16x64xf32>
    %cst_12 = arith.constant 0.000000e+00 : f32
    %16 = tensor.empty() : tensor<16x192xf32>
    %17 = linalg.fill ins(%cst_12 : f32) outs(%16 : tensor<16x192xf32>) -> tensor<16x192xf32>
    %18 = linalg.matmul ins(%collapsed, %cst_1 : tensor<16x64xf32>, tensor<64x192xf32>) outs(%17 : tensor<16x192xf32>) -> tensor<16x192xf32>
    %expanded = tensor.expand_shape %18 [[0, 1], [2]] output_shape [1, 16, 192] : tensor<16x192xf32> into tensor<1x16x192xf32>
    %extracted_slice = tensor.extract_slice %expanded[0, 0, 0] [1, 16, 64] [1, 1, 1] : tensor<1x16x192xf32> to tensor<1x16x64xf32>
    %extracted_slice_13 = tensor.extract_slice %expanded[0, 0, 64] [1, 16, 64] [1, 1, 1] : tensor<1x16x192xf32> to tensor<1x16x64xf32>
    %extracted_slice_14 = tensor.extract_slice %expanded[0, 0, 128] [1, 16, 64] [1, 1, 1] : tensor<1x16x192xf32> to tensor<1x16x64xf32>
    %expanded_15 = tensor.expand_shape %extracted_slice_13 [[0], [1], [2, 3]] output_shape [1, 16, 4, 16] : tensor<1x16x64xf32> into tensor<1x16x4x16xf32>
    %19 = tensor.empty() : tensor<1x4x16x16xf32>
    %transposed = linalg.transpose ins(%expanded_15 : tensor<1x16x4x16xf32>) outs(%19 : tensor<1x4x16x16xf32>) permutation = [0, 2, 1, 3] 
    %expanded_16 = tensor.expand_shape %extracted_slice_14 [[0], [1], [2, 3]] output_shape [1, 16, 4, 16] : tensor<1x16x64xf32> into tensor<1x16x4x16xf32>
    %20 = tensor.empty() : tensor<1x4x16x16xf32>
    %transposed_17 = linalg.transpose ins(%expanded_16 : tensor<1x16x4x16xf32>) outs(%20 : tensor<1x4x16x16xf32>) permutation = [0, 2, 1, 3] 
    %expanded_18 = tensor.expand_shape %extracted_slice [[0], [1], [2, 3]] output_shape [1, 16, 4, 16] : tensor<1x16x64xf32> into tensor<1x16x4x16xf32>
    %21 = tensor.empty() : tensor<1x4x16x16xf32>
    %transposed_19 = linalg.transpose ins(%expanded_18 : tensor<1x16x4x16xf32>) outs(%21 : tensor<1x4x16x16xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_20 = tensor.collapse_shape %transposed [[0, 1], [2], [3]] : tensor<1x4x16x16xf32> into tensor<4x16x16xf32>
    %22 = tensor.empty() : tensor<4x16x16xf32>
    %transposed_21 = linalg.transpose ins(%collapsed_20 : tensor<4x16x16xf32>) outs(%22 : tensor<4x16x16xf32>) permutation = [0, 2, 1] 
    %expanded_22 = tensor.expand_shape %transposed_21 [[0, 1], [2], [3]] output_shape [1, 4, 16, 16] : tensor<4x16x16xf32> into tensor<1x4x16x16xf32>
    %23 = tensor.empty() : tensor<1x4x16x16xf32>
    %24 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_19 : tensor<1x4x16x16xf32>) outs(%23 : tensor<1x4x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_89 = arith.constant 5.000000e-01 : f32
      %193 = arith.mulf %in, %cst_89 : f32
      linalg.yield %193 : f32
    } -> tensor<1x4x16x16xf32>
    %25 = tensor.empty() : tensor<1x4x16x16xf32>
    %26 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_22 : tensor<1x4x16x16xf32>) outs(%25 : tensor<1x4x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_89 = arith.constant 5.000000e-01 : f32
      %193 = arith.mulf %in, %cst_89 : f32
      linalg.yield %193 : f32
    } -> tensor<1x4x16x16xf32>
    %collapsed_23 = tensor.collapse_shape %24 [[0, 1], [2], [3]] : tensor<1x4x16x16xf32> into tensor<4x16x16xf32>
    %collapsed_24 = tensor.collapse_shape %26 [[0, 1], [2], [3]] : tensor<1x4x16x16xf32> into tensor<4x16x16xf32>
    %cst_25 = arith.constant 0.000000e+00 : f32
    %27 = tensor.empty() : tensor<4x16x16xf32>
    %28 = linalg.fill ins(%cst_25 : f32) outs(%27 : tensor<4x16x16xf32>) -> tensor<4x16x16xf32>
    %29 = linalg.batch_matmul ins(%collapsed_23, %collapsed_24 : tensor<4x16x16xf32>, tensor<4x16x16xf32>) outs(%28 : tensor<4x16x16xf32>) -> tensor<4x16x16xf32>
    %expanded_26 = tensor.expand_shape %29 [[0, 1], [2], [3]] output_shape [1, 4, 16, 16] : tensor<4x16x16xf32> into tensor<1x4x16x16xf32>
    %30 = tensor.empty() : tensor<1x4x16x16xf32>
    %31 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_26, %cst_2 : tensor<1x4x16x16xf32>, tensor<1x1x16x16xf32>) outs(%30 : tensor<1x4x16x16xf32>) {
    ^bb0(%in: f32, %in_89: f32, %out: f32):
      %193 = arith.addf %in, %in_89 : f32
      linalg.yield %193 : f32
    } -> tensor<1x4x16x16xf32>
    %cst_27 = arith.constant 0xFF800000 : f32
    %32 = tensor.empty() : tensor<1x4x16xf32>
    %33 = linalg.fill ins(%cst_27 : f32) outs(%32 : tensor<1x4x16xf32>) -> tensor<1x4x16xf32>
    %34 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%31 : tensor<1x4x16x16xf32>) outs(%33 : tensor<1x4x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.maximumf %in, %out : f32
      linalg.yield %193 : f32
    } -> tensor<1x4x16xf32>
    %35 = tensor.empty() : tensor<1x4x16x16xf32>
    %36 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%31, %34 : tensor<1x4x16x16xf32>, tensor<1x4x16xf32>) outs(%35 : tensor<1x4x16x16xf32>) {
    ^bb0(%in: f32, %in_89: f32, %out: f32):
      %193 = arith.subf %in, %in_89 : f32
      %194 = math.exp %193 : f32
      linalg.yield %194 : f32
    } -> tensor<1x4x16x16xf32>
    %cst_28 = arith.constant 0.000000e+00 : f32
    %37 = tensor.empty() : tensor<1x4x16xf32>
    %38 = linalg.fill ins(%cst_28 : f32) outs(%37 : tensor<1x4x16xf32>) -> tensor<1x4x16xf32>
    %39 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%36 : tensor<1x4x16x16xf32>) outs(%38 : tensor<1x4x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.addf %in, %out : f32
      linalg.yield %193 : f32
    } -> tensor<1x4x16xf32>
    %40 = tensor.empty() : tensor<1x4x16x16xf32>
    %41 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%36, %39 : tensor<1x4x16x16xf32>, tensor<1x4x16xf32>) outs(%40 : tensor<1x4x16x16xf32>) {
    ^bb0(%in: f32, %in_89: f32, %out: f32):
      %193 = arith.divf %in, %in_89 : f32
      linalg.yield %193 : f32
    } -> tensor<1x4x16x16xf32>
    %42 = tensor.empty() : tensor<1x4x16x16xi1>
    %43 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%41 : tensor<1x4x16x16xf32>) outs(%42 : tensor<1x4x16x16xi1>) {
    ^bb0(%in: f32, %out: i1):
      %193 = arith.cmpf uno, %in, %in : f32
      linalg.yield %193 : i1
    } -> tensor<1x4x16x16xi1>
    %44 = tensor.empty() : tensor<1x4x16x16xf32>
    %45 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%43, %41 : tensor<1x4x16x16xi1>, tensor<1x4x16x16xf32>) outs(%44 : tensor<1x4x16x16xf32>) {
    ^bb0(%in: i1, %in_89: f32, %out: f32):
      %cst_90 = arith.constant 0.000000e+00 : f32
      %193 = arith.select %in, %cst_90, %in_89 : f32
      linalg.yield %193 : f32
    } -> tensor<1x4x16x16xf32>
    %collapsed_29 = tensor.collapse_shape %45 [[0, 1], [2], [3]] : tensor<1x4x16x16xf32> into tensor<4x16x16xf32>
    %collapsed_30 = tensor.collapse_shape %transposed_17 [[0, 1], [2], [3]] : tensor<1x4x16x16xf32> into tensor<4x16x16xf32>
    %cst_31 = arith.constant 0.000000e+00 : f32
    %46 = tensor.empty() : tensor<4x16x16xf32>
    %47 = linalg.fill ins(%cst_31 : f32) outs(%46 : tensor<4x16x16xf32>) -> tensor<4x16x16xf32>
    %48 = linalg.batch_matmul ins(%collapsed_29, %collapsed_30 : tensor<4x16x16xf32>, tensor<4x16x16xf32>) outs(%47 : tensor<4x16x16xf32>) -> tensor<4x16x16xf32>
    %expanded_32 = tensor.expand_shape %48 [[0, 1], [2], [3]] output_shape [1, 4, 16, 16] : tensor<4x16x16xf32> into tensor<1x4x16x16xf32>
    %49 = tensor.empty() : tensor<1x16x4x16xf32>
    %transposed_33 = linalg.transpose ins(%expanded_32 : tensor<1x4x16x16xf32>) outs(%49 : tensor<1x16x4x16xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_34 = tensor.collapse_shape %transposed_33 [[0, 1], [2, 3]] : tensor<1x16x4x16xf32> into tensor<16x64xf32>
    %cst_35 = arith.constant 0.000000e+00 : f32
    %50 = tensor.empty() : tensor<16x64xf32>
    %51 = linalg.fill ins(%cst_35 : f32) outs(%50 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %52 = linalg.matmul ins(%collapsed_34, %cst_3 : tensor<16x64xf32>, tensor<64x64xf32>) outs(%51 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %expanded_36 = tensor.expand_shape %52 [[0, 1], [2]] output_shape [1, 16, 64] : tensor<16x64xf32> into tensor<1x16x64xf32>
    %53 = tensor.empty() : tensor<1x16x64xf32>
    %54 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_36, %3 : tensor<1x16x64xf32>, tensor<1x16x64xf32>) outs(%53 : tensor<1x16x64xf32>) {
    ^bb0(%in: f32, %in_89: f32, %out: f32):
      %193 = arith.addf %in, %in_89 : f32
      linalg.yield %193 : f32
    } -> tensor<1x16x64xf32>
    %cst_37 = arith.constant 0.000000e+00 : f32
    %55 = tensor.empty() : tensor<1x16xf32>
    %56 = linalg.fill ins(%cst_37 : f32) outs(%55 : tensor<1x16xf32>) -> tensor<1x16xf32>
    %57 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%54 : tensor<1x16x64xf32>) outs(%56 : tensor<1x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.addf %in, %out : f32
      linalg.yield %193 : f32
    } -> tensor<1x16xf32>
    %58 = tensor.empty() : tensor<1x16xf32>
    %59 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%57 : tensor<1x16xf32>) outs(%58 : tensor<1x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_89 = arith.constant 6.400000e+01 : f32
      %193 = arith.divf %in, %cst_89 : f32
      linalg.yield %193 : f32
    } -> tensor<1x16xf32>
    %cst_38 = arith.constant 0.000000e+00 : f32
    %60 = tensor.empty() : tensor<1x16xf32>
    %61 = linalg.fill ins(%cst_38 : f32) outs(%60 : tensor<1x16xf32>) -> tensor<1x16xf32>
    %62 = linalg.generic {indexing_maps = [#map1, #map, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%54, %59 : tensor<1x16x64xf32>, tensor<1x16xf32>) outs(%61 : tensor<1x16xf32>) {
    ^bb0(%in: f32, %in_89: f32, %out: f32):
      %193 = arith.subf %in, %in_89 : f32
      %194 = arith.mulf %193, %193 : f32
      %195 = arith.addf %194, %out : f32
      linalg.yield %195 : f32
    } -> tensor<1x16xf32>
    %63 = tensor.empty() : tensor<1x16xf32>
    %64 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%62 : tensor<1x16xf32>) outs(%63 : tensor<1x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_89 = arith.constant 6.400000e+01 : f32
      %193 = arith.divf %in, %cst_89 : f32
      %cst_90 = arith.constant 9.99999974E-6 : f32
      %194 = arith.addf %193, %cst_90 : f32
      %195 = math.rsqrt %194 : f32
      linalg.yield %195 : f32
    } -> tensor<1x16xf32>
    %65 = tensor.empty() : tensor<1x16x64xf32>
    %66 = linalg.generic {indexing_maps = [#map1, #map, #map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%54, %59, %64 : tensor<1x16x64xf32>, tensor<1x16xf32>, tensor<1x16xf32>) outs(%65 : tensor<1x16x64xf32>) {
    ^bb0(%in: f32, %in_89: f32, %in_90: f32, %out: f32):
      %cst_91 = arith.constant 1.000000e+00 : f32
      %cst_92 = arith.constant 0.000000e+00 : f32
      %193 = arith.subf %in, %in_89 : f32
      %194 = arith.mulf %193, %in_90 : f32
      %195 = arith.mulf %194, %cst_91 : f32
      %196 = arith.addf %195, %cst_92 : f32
      linalg.yield %196 : f32
    } -> tensor<1x16x64xf32>
    %collapsed_39 = tensor.collapse_shape %66 [[0, 1], [2]] : tensor<1x16x64xf32> into tensor<16x64xf32>
    %cst_40 = arith.constant 0.000000e+00 : f32
    %67 = tensor.empty() : tensor<16x256xf32>
    %68 = linalg.fill ins(%cst_40 : f32) outs(%67 : tensor<16x256xf32>) -> tensor<16x256xf32>
    %69 = linalg.matmul ins(%collapsed_39, %cst_4 : tensor<16x64xf32>, tensor<64x256xf32>) outs(%68 : tensor<16x256xf32>) -> tensor<16x256xf32>
    %expanded_41 = tensor.expand_shape %69 [[0, 1], [2]] output_shape [1, 16, 256] : tensor<16x256xf32> into tensor<1x16x256xf32>
    %70 = tensor.empty() : tensor<1x16x256xf32>
    %71 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_41 : tensor<1x16x256xf32>) outs(%70 : tensor<1x16x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_89 = arith.constant 5.000000e-01 : f32
      %193 = arith.mulf %in, %cst_89 : f32
      linalg.yield %193 : f32
    } -> tensor<1x16x256xf32>
    %72 = tensor.empty() : tensor<1x16x256xf32>
    %73 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_41 : tensor<1x16x256xf32>) outs(%72 : tensor<1x16x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_89 = arith.constant 3.000000e+00 : f32
      %193 = arith.mulf %in, %in : f32
      %194 = arith.mulf %193, %in : f32
      linalg.yield %194 : f32
    } -> tensor<1x16x256xf32>
    %74 = tensor.empty() : tensor<1x16x256xf32>
    %75 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%73 : tensor<1x16x256xf32>) outs(%74 : tensor<1x16x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_89 = arith.constant 4.471500e-02 : f32
      %193 = arith.mulf %in, %cst_89 : f32
      linalg.yield %193 : f32
    } -> tensor<1x16x256xf32>
    %76 = tensor.empty() : tensor<1x16x256xf32>
    %77 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_41, %75 : tensor<1x16x256xf32>, tensor<1x16x256xf32>) outs(%76 : tensor<1x16x256xf32>) {
    ^bb0(%in: f32, %in_89: f32, %out: f32):
      %193 = arith.addf %in, %in_89 : f32
      linalg.yield %193 : f32
    } -> tensor<1x16x256xf32>
    %78 = tensor.empty() : tensor<1x16x256xf32>
    %79 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%77 : tensor<1x16x256xf32>) outs(%78 : tensor<1x16x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_89 = arith.constant 0.797884583 : f32
      %193 = arith.mulf %in, %cst_89 : f32
      linalg.yield %193 : f32
    } -> tensor<1x16x256xf32>
    %80 = tensor.empty() : tensor<1x16x256xf32>
    %81 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%79 : tensor<1x16x256xf32>) outs(%80 : tensor<1x16x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = math.tanh %in : f32
      linalg.yield %193 : f32
    } -> tensor<1x16x256xf32>
    %82 = tensor.empty() : tensor<1x16x256xf32>
    %83 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%81 : tensor<1x16x256xf32>) outs(%82 : tensor<1x16x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_89 = arith.constant 1.000000e+00 : f32
      %193 = arith.addf %in, %cst_89 : f32
      linalg.yield %193 : f32
    } -> tensor<1x16x256xf32>
    %84 = tensor.empty() : tensor<1x16x256xf32>
    %85 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%71, %83 : tensor<1x16x256xf32>, tensor<1x16x256xf32>) outs(%84 : tensor<1x16x256xf32>) {
    ^bb0(%in: f32, %in_89: f32, %out: f32):
      %193 = arith.mulf %in, %in_89 : f32
      linalg.yield %193 : f32
    } -> tensor<1x16x256xf32>
    %collapsed_42 = tensor.collapse_shape %85 [[0, 1], [2]] : tensor<1x16x256xf32> into tensor<16x256xf32>
    %cst_43 = arith.constant 0.000000e+00 : f32
    %86 = tensor.empty() : tensor<16x64xf32>
    %87 = linalg.fill ins(%cst_43 : f32) outs(%86 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %88 = linalg.matmul ins(%collapsed_42, %cst_5 : tensor<16x256xf32>, tensor<256x64xf32>) outs(%87 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %expanded_44 = tensor.expand_shape %88 [[0, 1], [2]] output_shape [1, 16, 64] : tensor<16x64xf32> into tensor<1x16x64xf32>
    %89 = tensor.empty() : tensor<1x16x64xf32>
    %90 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%54, %expanded_44 : tensor<1x16x64xf32>, tensor<1x16x64xf32>) outs(%89 : tensor<1x16x64xf32>) {
    ^bb0(%in: f32, %in_89: f32, %out: f32):
      %193 = arith.addf %in, %in_89 : f32
      linalg.yield %193 : f32
    } -> tensor<1x16x64xf32>
    %cst_45 = arith.constant 0.000000e+00 : f32
    %91 = tensor.empty() : tensor<1x16xf32>
    %92 = linalg.fill ins(%cst_45 : f32) outs(%91 : tensor<1x16xf32>) -> tensor<1x16xf32>
    %93 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%90 : tensor<1x16x64xf32>) outs(%92 : tensor<1x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.addf %in, %out : f32
      linalg.yield %193 : f32
    } -> tensor<1x16xf32>
    %94 = tensor.empty() : tensor<1x16xf32>
    %95 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%93 : tensor<1x16xf32>) outs(%94 : tensor<1x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_89 = arith.constant 6.400000e+01 : f32
      %193 = arith.divf %in, %cst_89 : f32
      linalg.yield %193 : f32
    } -> tensor<1x16xf32>
    %cst_46 = arith.constant 0.000000e+00 : f32
    %96 = tensor.empty() : tensor<1x16xf32>
    %97 = linalg.fill ins(%cst_46 : f32) outs(%96 : tensor<1x16xf32>) -> tensor<1x16xf32>
    %98 = linalg.generic {indexing_maps = [#map1, #map, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%90, %95 : tensor<1x16x64xf32>, tensor<1x16xf32>) outs(%97 : tensor<1x16xf32>) {
    ^bb0(%in: f32, %in_89: f32, %out: f32):
      %193 = arith.subf %in, %in_89 : f32
      %194 = arith.mulf %193, %193 : f32
      %195 = arith.addf %194, %out : f32
      linalg.yield %195 : f32
    } -> tensor<1x16xf32>
    %99 = tensor.empty() : tensor<1x16xf32>
    %100 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%98 : tensor<1x16xf32>) outs(%99 : tensor<1x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_89 = arith.constant 6.400000e+01 : f32
      %193 = arith.divf %in, %cst_89 : f32
      %cst_90 = arith.constant 9.99999974E-6 : f32
      %194 = arith.addf %193, %cst_90 : f32
      %195 = math.rsqrt %194 : f32
      linalg.yield %195 : f32
    } -> tensor<1x16xf32>
    %101 = tensor.empty() : tensor<1x16x64xf32>
    %102 = linalg.generic {indexing_maps = [#map1, #map, #map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%90, %95, %100 : tensor<1x16x64xf32>, tensor<1x16xf32>, tensor<1x16xf32>) outs(%101 : tensor<1x16x64xf32>) {
    ^bb0(%in: f32, %in_89: f32, %in_90: f32, %out: f32):
      %cst_91 = arith.constant 1.000000e+00 : f32
      %cst_92 = arith.constant 0.000000e+00 : f32
      %193 = arith.subf %in, %in_89 : f32
      %194 = arith.mulf %193, %in_90 : f32
      %195 = arith.mulf %194, %cst_91 : f32
      %196 = arith.addf %195, %cst_92 : f32
      linalg.yield %196 : f32
    } -> tensor<1x16x64xf32>
    %collapsed_47 = tensor.collapse_shape %102 [[0, 1], [2]] : tensor<1x16x64xf32> into tensor<16x64xf32>
    %cst_48 = arith.constant 0.000000e+00 : f32
    %103 = tensor.empty() : tensor<16x192xf32>
    %104 = linalg.fill ins(%cst_48 : f32) outs(%103 : tensor<16x192xf32>) -> tensor<16x192xf32>
    %105 = linalg.matmul ins(%collapsed_47, %cst_6 : tensor<16x64xf32>, tensor<64x192xf32>) outs(%104 : tensor<16x192xf32>) -> tensor<16x192xf32>
    %expanded_49 = tensor.expand_shape %105 [[0, 1], [2]] output_shape [1, 16, 192] : tensor<16x192xf32> into tensor<1x16x192xf32>
    %extracted_slice_50 = tensor.extract_slice %expanded_49[0, 0, 0] [1, 16, 64] [1, 1, 1] : tensor<1x16x192xf32> to tensor<1x16x64xf32>
    %extracted_slice_51 = tensor.extract_slice %expanded_49[0, 0, 64] [1, 16, 64] [1, 1, 1] : tensor<1x16x192xf32> to tensor<1x16x64xf32>
    %extracted_slice_52 = tensor.extract_slice %expanded_49[0, 0, 128] [1, 16, 64] [1, 1, 1] : tensor<1x16x192xf32> to tensor<1x16x64xf32>
    %expanded_53 = tensor.expand_shape %extracted_slice_51 [[0], [1], [2, 3]] output_shape [1, 16, 4, 16] : tensor<1x16x64xf32> into tensor<1x16x4x16xf32>
    %106 = tensor.empty() : tensor<1x4x16x16xf32>
    %transposed_54 = linalg.transpose ins(%expanded_53 : tensor<1x16x4x16xf32>) outs(%106 : tensor<1x4x16x16xf32>) permutation = [0, 2, 1, 3] 
    %expanded_55 = tensor.expand_shape %extracted_slice_52 [[0], [1], [2, 3]] output_shape [1, 16, 4, 16] : tensor<1x16x64xf32> into tensor<1x16x4x16xf32>
    %107 = tensor.empty() : tensor<1x4x16x16xf32>
    %transposed_56 = linalg.transpose ins(%expanded_55 : tensor<1x16x4x16xf32>) outs(%107 : tensor<1x4x16x16xf32>) permutation = [0, 2, 1, 3] 
    %expanded_57 = tensor.expand_shape %extracted_slice_50 [[0], [1], [2, 3]] output_shape [1, 16, 4, 16] : tensor<1x16x64xf32> into tensor<1x16x4x16xf32>
    %108 = tensor.empty() : tensor<1x4x16x16xf32>
    %transposed_58 = linalg.transpose ins(%expanded_57 : tensor<1x16x4x16xf32>) outs(%108 : tensor<1x4x16x16xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_59 = tensor.collapse_shape %transposed_54 [[0, 1], [2], [3]] : tensor<1x4x16x16xf32> into tensor<4x16x16xf32>
    %109 = tensor.empty() : tensor<4x16x16xf32>
    %transposed_60 = linalg.transpose ins(%collapsed_59 : tensor<4x16x16xf32>) outs(%109 : tensor<4x16x16xf32>) permutation = [0, 2, 1] 
    %expanded_61 = tensor.expand_shape %transposed_60 [[0, 1], [2], [3]] output_shape [1, 4, 16, 16] : tensor<4x16x16xf32> into tensor<1x4x16x16xf32>
    %110 = tensor.empty() : tensor<1x4x16x16xf32>
    %111 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_58 : tensor<1x4x16x16xf32>) outs(%110 : tensor<1x4x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_89 = arith.constant 5.000000e-01 : f32
      %193 = arith.mulf %in, %cst_89 : f32
      linalg.yield %193 : f32
    } -> tensor<1x4x16x16xf32>
    %112 = tensor.empty() : tensor<1x4x16x16xf32>
    %113 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_61 : tensor<1x4x16x16xf32>) outs(%112 : tensor<1x4x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_89 = arith.constant 5.000000e-01 : f32
      %193 = arith.mulf %in, %cst_89 : f32
      linalg.yield %193 : f32
    } -> tensor<1x4x16x16xf32>
    %collapsed_62 = tensor.collapse_shape %111 [[0, 1], [2], [3]] : tensor<1x4x16x16xf32> into tensor<4x16x16xf32>
    %collapsed_63 = tensor.collapse_shape %113 [[0, 1], [2], [3]] : tensor<1x4x16x16xf32> into tensor<4x16x16xf32>
    %cst_64 = arith.constant 0.000000e+00 : f32
    %114 = tensor.empty() : tensor<4x16x16xf32>
    %115 = linalg.fill ins(%cst_64 : f32) outs(%114 : tensor<4x16x16xf32>) -> tensor<4x16x16xf32>
    %116 = linalg.batch_matmul ins(%collapsed_62, %collapsed_63 : tensor<4x16x16xf32>, tensor<4x16x16xf32>) outs(%115 : tensor<4x16x16xf32>) -> tensor<4x16x16xf32>
    %expanded_65 = tensor.expand_shape %116 [[0, 1], [2], [3]] output_shape [1, 4, 16, 16] : tensor<4x16x16xf32> into tensor<1x4x16x16xf32>
    %117 = tensor.empty() : tensor<1x4x16x16xf32>
    %118 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_65, %cst_2 : tensor<1x4x16x16xf32>, tensor<1x1x16x16xf32>) outs(%117 : tensor<1x4x16x16xf32>) {
    ^bb0(%in: f32, %in_89: f32, %out: f32):
      %193 = arith.addf %in, %in_89 : f32
      linalg.yield %193 : f32
    } -> tensor<1x4x16x16xf32>
    %cst_66 = arith.constant 0xFF800000 : f32
    %119 = tensor.empty() : tensor<1x4x16xf32>
    %120 = linalg.fill ins(%cst_66 : f32) outs(%119 : tensor<1x4x16xf32>) -> tensor<1x4x16xf32>
    %121 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%118 : tensor<1x4x16x16xf32>) outs(%120 : tensor<1x4x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.maximumf %in, %out : f32
      linalg.yield %193 : f32
    } -> tensor<1x4x16xf32>
    %122 = tensor.empty() : tensor<1x4x16x16xf32>
    %123 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%118, %121 : tensor<1x4x16x16xf32>, tensor<1x4x16xf32>) outs(%122 : tensor<1x4x16x16xf32>) {
    ^bb0(%in: f32, %in_89: f32, %out: f32):
      %193 = arith.subf %in, %in_89 : f32
      %194 = math.exp %193 : f32
      linalg.yield %194 : f32
    } -> tensor<1x4x16x16xf32>
    %cst_67 = arith.constant 0.000000e+00 : f32
    %124 = tensor.empty() : tensor<1x4x16xf32>
    %125 = linalg.fill ins(%cst_67 : f32) outs(%124 : tensor<1x4x16xf32>) -> tensor<1x4x16xf32>
    %126 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%123 : tensor<1x4x16x16xf32>) outs(%125 : tensor<1x4x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.addf %in, %out : f32
      linalg.yield %193 : f32
    } -> tensor<1x4x16xf32>
    %127 = tensor.empty() : tensor<1x4x16x16xf32>
    %128 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%123, %126 : tensor<1x4x16x16xf32>, tensor<1x4x16xf32>) outs(%127 : tensor<1x4x16x16xf32>) {
    ^bb0(%in: f32, %in_89: f32, %out: f32):
      %193 = arith.divf %in, %in_89 : f32
      linalg.yield %193 : f32
    } -> tensor<1x4x16x16xf32>
    %129 = tensor.empty() : tensor<1x4x16x16xi1>
    %130 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%128 : tensor<1x4x16x16xf32>) outs(%129 : tensor<1x4x16x16xi1>) {
    ^bb0(%in: f32, %out: i1):
      %193 = arith.cmpf uno, %in, %in : f32
      linalg.yield %193 : i1
    } -> tensor<1x4x16x16xi1>
    %131 = tensor.empty() : tensor<1x4x16x16xf32>
    %132 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%130, %128 : tensor<1x4x16x16xi1>, tensor<1x4x16x16xf32>) outs(%131 : tensor<1x4x16x16xf32>) {
    ^bb0(%in: i1, %in_89: f32, %out: f32):
      %cst_90 = arith.constant 0.000000e+00 : f32
      %193 = arith.select %in, %cst_90, %in_89 : f32
      linalg.yield %193 : f32
    } -> tensor<1x4x16x16xf32>
    %collapsed_68 = tensor.collapse_shape %132 [[0, 1], [2], [3]] : tensor<1x4x16x16xf32> into tensor<4x16x16xf32>
    %collapsed_69 = tensor.collapse_shape %transposed_56 [[0, 1], [2], [3]] : tensor<1x4x16x16xf32> into tensor<4x16x16xf32>
    %cst_70 = arith.constant 0.000000e+00 : f32
    %133 = tensor.empty() : tensor<4x16x16xf32>
    %134 = linalg.fill ins(%cst_70 : f32) outs(%133 : tensor<4x16x16xf32>) -> tensor<4x16x16xf32>
    %135 = linalg.batch_matmul ins(%collapsed_68, %collapsed_69 : tensor<4x16x16xf32>, tensor<4x16x16xf32>) outs(%134 : tensor<4x16x16xf32>) -> tensor<4x16x16xf32>
    %expanded_71 = tensor.expand_shape %135 [[0, 1], [2], [3]] output_shape [1, 4, 16, 16] : tensor<4x16x16xf32> into tensor<1x4x16x16xf32>
    %136 = tensor.empty() : tensor<1x16x4x16xf32>
    %transposed_72 = linalg.transpose ins(%expanded_71 : tensor<1x4x16x16xf32>) outs(%136 : tensor<1x16x4x16xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_73 = tensor.collapse_shape %transposed_72 [[0, 1], [2, 3]] : tensor<1x16x4x16xf32> into tensor<16x64xf32>
    %cst_74 = arith.constant 0.000000e+00 : f32
    %137 = tensor.empty() : tensor<16x64xf32>
    %138 = linalg.fill ins(%cst_74 : f32) outs(%137 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %139 = linalg.matmul ins(%collapsed_73, %cst_7 : tensor<16x64xf32>, tensor<64x64xf32>) outs(%138 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %expanded_75 = tensor.expand_shape %139 [[0, 1], [2]] output_shape [1, 16, 64] : tensor<16x64xf32> into tensor<1x16x64xf32>
    %140 = tensor.empty() : tensor<1x16x64xf32>
    %141 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_75, %90 : tensor<1x16x64xf32>, tensor<1x16x64xf32>) outs(%140 : tensor<1x16x64xf32>) {
    ^bb0(%in: f32, %in_89: f32, %out: f32):
      %193 = arith.addf %in, %in_89 : f32
      linalg.yield %193 : f32
    } -> tensor<1x16x64xf32>
    %cst_76 = arith.constant 0.000000e+00 : f32
    %142 = tensor.empty() : tensor<1x16xf32>
    %143 = linalg.fill ins(%cst_76 : f32) outs(%142 : tensor<1x16xf32>) -> tensor<1x16xf32>
    %144 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%141 : tensor<1x16x64xf32>) outs(%143 : tensor<1x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.addf %in, %out : f32
      linalg.yield %193 : f32
    } -> tensor<1x16xf32>
    %145 = tensor.empty() : tensor<1x16xf32>
    %146 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%144 : tensor<1x16xf32>) outs(%145 : tensor<1x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_89 = arith.constant 6.400000e+01 : f32
      %193 = arith.divf %in, %cst_89 : f32
      linalg.yield %193 : f32
    } -> tensor<1x16xf32>
    %cst_77 = arith.constant 0.000000e+00 : f32
    %147 = tensor.empty() : tensor<1x16xf32>
    %148 = linalg.fill ins(%cst_77 : f32) outs(%147 : tensor<1x16xf32>) -> tensor<1x16xf32>
    %149 = linalg.generic {indexing_maps = [#map1, #map, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%141, %146 : tensor<1x16x64xf32>, tensor<1x16xf32>) outs(%148 : tensor<1x16xf32>) {
    ^bb0(%in: f32, %in_89: f32, %out: f32):
      %193 = arith.subf %in, %in_89 : f32
      %194 = arith.mulf %193, %193 : f32
      %195 = arith.addf %194, %out : f32
      linalg.yield %195 : f32
    } -> tensor<1x16xf32>
    %150 = tensor.empty() : tensor<1x16xf32>
    %151 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%149 : tensor<1x16xf32>) outs(%150 : tensor<1x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_89 = arith.constant 6.400000e+01 : f32
      %193 = arith.divf %in, %cst_89 : f32
      %cst_90 = arith.constant 9.99999974E-6 : f32
      %194 = arith.addf %193, %cst_90 : f32
      %195 = math.rsqrt %194 : f32
      linalg.yield %195 : f32
    } -> tensor<1x16xf32>
    %152 = tensor.empty() : tensor<1x16x64xf32>
    %153 = linalg.generic {indexing_maps = [#map1, #map, #map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%141, %146, %151 : tensor<1x16x64xf32>, tensor<1x16xf32>, tensor<1x16xf32>) outs(%152 : tensor<1x16x64xf32>) {
    ^bb0(%in: f32, %in_89: f32, %in_90: f32, %out: f32):
      %cst_91 = arith.constant 1.000000e+00 : f32
      %cst_92 = arith.constant 0.000000e+00 : f32
      %193 = arith.subf %in, %in_89 : f32
      %194 = arith.mulf %193, %in_90 : f32
      %195 = arith.mulf %194, %cst_91 : f32
      %196 = arith.addf %195, %cst_92 : f32
      linalg.yield %196 : f32
    } -> tensor<1x16x64xf32>
    %collapsed_78 = tensor.collapse_shape %153 [[0, 1], [2]] : tensor<1x16x64xf32> into tensor<16x64xf32>
    %cst_79 = arith.constant 0.000000e+00 : f32
    %154 = tensor.empty() : tensor<16x256xf32>
    %155 = linalg.fill ins(%cst_79 : f32) outs(%154 : tensor<16x256xf32>) -> tensor<16x256xf32>
    %156 = linalg.matmul ins(%collapsed_78, %cst_8 : tensor<16x64xf32>, tensor<64x256xf32>) outs(%155 : tensor<16x256xf32>) -> tensor<16x256xf32>
    %expanded_80 = tensor.expand_shape %156 [[0, 1], [2]] output_shape [1, 16, 256] : tensor<16x256xf32> into tensor<1x16x256xf32>
    %157 = tensor.empty() : tensor<1x16x256xf32>
    %158 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_80 : tensor<1x16x256xf32>) outs(%157 : tensor<1x16x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_89 = arith.constant 5.000000e-01 : f32
      %193 = arith.mulf %in, %cst_89 : f32
      linalg.yield %193 : f32
    } -> tensor<1x16x256xf32>
    %159 = tensor.empty() : tensor<1x16x256xf32>
    %160 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_80 : tensor<1x16x256xf32>) outs(%159 : tensor<1x16x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_89 = arith.constant 3.000000e+00 : f32
      %193 = arith.mulf %in, %in : f32
      %194 = arith.mulf %193, %in : f32
      linalg.yield %194 : f32
    } -> tensor<1x16x256xf32>
    %161 = tensor.empty() : tensor<1x16x256xf32>
    %162 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%160 : tensor<1x16x256xf32>) outs(%161 : tensor<1x16x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_89 = arith.constant 4.471500e-02 : f32
      %193 = arith.mulf %in, %cst_89 : f32
      linalg.yield %193 : f32
    } -> tensor<1x16x256xf32>
    %163 = tensor.empty() : tensor<1x16x256xf32>
    %164 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_80, %162 : tensor<1x16x256xf32>, tensor<1x16x256xf32>) outs(%163 : tensor<1x16x256xf32>) {
    ^bb0(%in: f32, %in_89: f32, %out: f32):
      %193 = arith.addf %in, %in_89 : f32
      linalg.yield %193 : f32
    } -> tensor<1x16x256xf32>
    %165 = tensor.empty() : tensor<1x16x256xf32>
    %166 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%164 : tensor<1x16x256xf32>) outs(%165 : tensor<1x16x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_89 = arith.constant 0.797884583 : f32
      %193 = arith.mulf %in, %cst_89 : f32
      linalg.yield %193 : f32
    } -> tensor<1x16x256xf32>
    %167 = tensor.empty() : tensor<1x16x256xf32>
    %168 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%166 : tensor<1x16x256xf32>) outs(%167 : tensor<1x16x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = math.tanh %in : f32
      linalg.yield %193 : f32
    } -> tensor<1x16x256xf32>
    %169 = tensor.empty() : tensor<1x16x256xf32>
    %170 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%168 : tensor<1x16x256xf32>) outs(%169 : tensor<1x16x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_89 = arith.constant 1.000000e+00 : f32
      %193 = arith.addf %in, %cst_89 : f32
      linalg.yield %193 : f32
    } -> tensor<1x16x256xf32>
    %171 = tensor.empty() : tensor<1x16x256xf32>
    %172 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%158, %170 : tensor<1x16x256xf32>, tensor<1x16x256xf32>) outs(%171 : tensor<1x16x256xf32>) {
    ^bb0(%in: f32, %in_89: f32, %out: f32):
      %193 = arith.mulf %in, %in_89 : f32
      linalg.yield %193 : f32
    } -> tensor<1x16x256xf32>
    %collapsed_81 = tensor.collapse_shape %172 [[0, 1], [2]] : tensor<1x16x256xf32> into tensor<16x256xf32>
    %cst_82 = arith.constant 0.000000e+00 : f32
    %173 = tensor.empty() : tensor<16x64xf32>
    %174 = linalg.fill ins(%cst_82 : f32) outs(%173 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %175 = linalg.matmul ins(%collapsed_81, %cst_9 : tensor<16x256xf32>, tensor<256x64xf32>) outs(%174 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %expanded_83 = tensor.expand_shape %175 [[0, 1], [2]] output_shape [1, 16, 64] : tensor<16x64xf32> into tensor<1x16x64xf32>
    %176 = tensor.empty() : tensor<1x16x64xf32>
    %177 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%141, %expanded_83 : tensor<1x16x64xf32>, tensor<1x16x64xf32>) outs(%176 : tensor<1x16x64xf32>) {
    ^bb0(%in: f32, %in_89: f32, %out: f32):
      %193 = arith.addf %in, %in_89 : f32
      linalg.yield %193 : f32
    } -> tensor<1x16x64xf32>
    %cst_84 = arith.constant 0.000000e+00 : f32
    %178 = tensor.empty() : tensor<1x16xf32>
    %179 = linalg.fill ins(%cst_84 : f32) outs(%178 : tensor<1x16xf32>) -> tensor<1x16xf32>
    %180 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%177 : tensor<1x16x64xf32>) outs(%179 : tensor<1x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.addf %in, %out : f32
      linalg.yield %193 : f32
    } -> tensor<1x16xf32>
    %181 = tensor.empty() : tensor<1x16xf32>
    %182 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%180 : tensor<1x16xf32>) outs(%181 : tensor<1x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_89 = arith.constant 6.400000e+01 : f32
      %193 = arith.divf %in, %cst_89 : f32
      linalg.yield %193 : f32
    } -> tensor<1x16xf32>
    %cst_85 = arith.constant 0.000000e+00 : f32
    %183 = tensor.empty() : tensor<1x16xf32>
    %184 = linalg.fill ins(%cst_85 : f32) outs(%183 : tensor<1x16xf32>) -> tensor<1x16xf32>
    %185 = linalg.generic {indexing_maps = [#map1, #map, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%177, %182 : tensor<1x16x64xf32>, tensor<1x16xf32>) outs(%184 : tensor<1x16xf32>) {
    ^bb0(%in: f32, %in_89: f32, %out: f32):
      %193 = arith.subf %in, %in_89 : f32
      %194 = arith.mulf %193, %193 : f32
      %195 = arith.addf %194, %out : f32
      linalg.yield %195 : f32
    } -> tensor<1x16xf32>
    %186 = tensor.empty() : tensor<1x16xf32>
    %187 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%185 : tensor<1x16xf32>) outs(%186 : tensor<1x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_89 = arith.constant 6.400000e+01 : f32
      %193 = arith.divf %in, %cst_89 : f32
      %cst_90 = arith.constant 9.99999974E-6 : f32
      %194 = arith.addf %193, %cst_90 : f32
      %195 = math.rsqrt %194 : f32
      linalg.yield %195 : f32
    } -> tensor<1x16xf32>
    %188 = tensor.empty() : tensor<1x16x64xf32>
    %189 = linalg.generic {indexing_maps = [#map1, #map, #map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%177, %182, %187 : tensor<1x16x64xf32>, tensor<1x16xf32>, tensor<1x16xf32>) outs(%188 : tensor<1x16x64xf32>) {
    ^bb0(%in: f32, %in_89: f32, %in_90: f32, %out: f32):
      %cst_91 = arith.constant 1.000000e+00 : f32
      %cst_92 = arith.constant 0.000000e+00 : f32
      %193 = arith.subf %in, %in_89 : f32
      %194 = arith.mulf %193, %in_90 : f32
      %195 = arith.mulf %194, %cst_91 : f32
      %196 = arith.addf %195, %cst_92 : f32
      linalg.yield %196 : f32
    } -> tensor<1x16x64xf32>
    %collapsed_86 = tensor.collapse_shape %189 [[0, 1], [2]] : tensor<1x16x64xf32> into tensor<16x64xf32>
    %cst_87 = arith.constant 0.000000e+00 : f32
    %190 = tensor.empty() : tensor<16x512xf32>
    %191 = linalg.fill ins(%cst_87 : f32) outs(%190 : tensor<16x512xf32>) -> tensor<16x512xf32>
    %192 = linalg.matmul indexing_maps = [#map6, #map7, #map] ins(%collapsed_86, %cst : tensor<16x64xf32>, tensor<512x64xf32>) outs(%191 : tensor<16x512xf32>) -> tensor<16x512xf32>
    %expanded_88 = tensor.expand_shape %192 [[0, 1], [2]] output_shape [1, 16, 512] : tensor<16x512xf32> into tensor<1x16x512xf32>
    return %expanded_88 : tensor<1x16x512xf32>
  }
}

