// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#map = affine_map<(d0, d1, d2) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1) -> (d0, d1)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, 0, d3, d4)>
#map7 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
module {
  func.func @main(%cst: tensor<512x64xf32>, %cst_0: tensor<64x64xf32>, %cst_1: tensor<64x16xf32>, %cst_2: tensor<64x16xf32>, %cst_3: tensor<1x1x24x8xf32>, %cst_4: tensor<1x1x24x8xf32>, %cst_5: tensor<1x1x24x24xf32>, %cst_6: tensor<64x64xf32>, %cst_7: tensor<64x160xf32>, %cst_8: tensor<64x160xf32>, %cst_9: tensor<160x64xf32>, %cst_10: tensor<64x64xf32>, %cst_11: tensor<64x16xf32>, %cst_12: tensor<64x16xf32>, %cst_13: tensor<64x64xf32>, %cst_14: tensor<64x160xf32>, %cst_15: tensor<64x160xf32>, %cst_16: tensor<160x64xf32>, %cst_17: tensor<64x512xf32>, %arg0: tensor<1x24xi64>) -> (tensor<1x24x512xf32>) {
    %0 = tensor.empty() : tensor<1x24x64xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x24xi64>) outs(%0 : tensor<1x24x64xf32>) {
    ^bb0(%in: i64, %out: f32):
      %c0_i64 = arith.constant 0 : i64
      %258 = arith.cmpi slt, %in, %c0_i64 : i64
      %c512_i64 = arith.constant 512 : i64
      %259 = arith.addi %in, %c512_i64 : i64
      %260 = arith.select %258, %259, %in : i64
      %261 = arith.maxsi %260, %c0_i64 : i64
      %c511_i64 = arith.constant 511 : i64
      %262 = arith.minsi %261, %c511_i64 : i64
      %263 = arith.index_cast %262 : i64 to index
      %264 = linalg.index 2 : index
      %extracted = tensor.extract %cst[%263, %264] : tensor<512x64xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x24x64xf32>
    %2 = tensor.empty() : tensor<1x24x64xf32>
    %3 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<1x24x64xf32>) outs(%2 : tensor<1x24x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_132 = arith.constant 2.000000e+00 : f32
      %258 = arith.mulf %in, %in : f32
      linalg.yield %258 : f32
    } -> tensor<1x24x64xf32>
    %cst_18 = arith.constant 0.000000e+00 : f32
    %4 = tensor.empty() : tensor<1x24xf32>
    %5 = linalg.fill ins(%cst_18 : f32) outs(%4 : tensor<1x24xf32>) -> tensor<1x24xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%3 : tensor<1x24x64xf32>) outs(%5 : tensor<1x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %258 = arith.addf %in, %out : f32
      linalg.yield %258 : f32
    } -> tensor<1x24xf32>
    %7 = tensor.empty() : tensor<1x24xf32>
    %8 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<1x24xf32>) outs(%7 : tensor<1x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_132 = arith.constant 6.400000e+01 : f32
      %258 = arith.divf %in, %cst_132 : f32
      linalg.yield %258 : f32
    } -> tensor<1x24xf32>
    %expanded = tensor.expand_shape %8 [[0], [1, 2]] output_shape [1, 24, 1] : tensor<1x24xf32> into tensor<1x24x1xf32>
    %9 = tensor.empty() : tensor<1x24x1xf32>
    %10 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x24x1xf32>) outs(%9 : tensor<1x24x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_132 = arith.constant 9.99999997E-7 : f32
      %258 = arith.addf %in, %cst_132 : f32
      linalg.yield %258 : f32
    } -> tensor<1x24x1xf32>
    %11 = tensor.empty() : tensor<1x24x1xf32>
    %12 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10 : tensor<1x24x1xf32>) outs(%11 : tensor<1x24x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %258 = math.sqrt %in : f32
      linalg.yield %258 : f32
    } -> tensor<1x24x1xf32>
    %13 = tensor.empty() : tensor<1x24x1xf32>
    %14 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12 : tensor<1x24x1xf32>) outs(%13 : tensor<1x24x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_132 = arith.constant 1.000000e+00 : f32
      %258 = arith.divf %cst_132, %in : f32
      linalg.yield %258 : f32
    } -> tensor<1x24x1xf32>
    %15 = tensor.empty() : tensor<1x24x64xf32>
    %16 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %14 : tensor<1x24x64xf32>, tensor<1x24x1xf32>) outs(%15 : tensor<1x24x64xf32>) {
    ^bb0(%in: f32, %in_132: f32, %out: f32):
      %258 = arith.mulf %in, %in_132 : f32
      linalg.yield %258 : f32
    } -> tensor<1x24x64xf32>
    %17 = tensor.empty() : tensor<1x24x64xf32>
    %18 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16 : tensor<1x24x64xf32>) outs(%17 : tensor<1x24x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_132 = arith.constant 1.000000e+00 : f32
      %258 = arith.mulf %cst_132, %in : f32
      linalg.yield %258 : f32
    } -> tensor<1x24x64xf32>
    %collapsed = tensor.collapse_shape %18 [[0, 1], [2]] : tensor<1x24x64xf32> into tensor<24x64xf32>
    %cst_19 = arith.constant 0.000000e+00 : f32
    %19 = tensor.empty() : tensor<24x64xf32>
    %20 = linalg.fill ins(%cst_19 : f32) outs(%19 : tensor<24x64xf32>) -> tensor<24x64xf32>
    %21 = linalg.matmul ins(%collapsed, %cst_0 : tensor<24x64xf32>, tensor<64x64xf32>) outs(%20 : tensor<24x64xf32>) -> tensor<24x64xf32>
    %expanded_20 = tensor.expand_shape %21 [[0, 1], [2]] output_shape [1, 24, 64] : tensor<24x64xf32> into tensor<1x24x64xf32>
    %expanded_21 = tensor.expand_shape %expanded_20 [[0], [1], [2, 3]] output_shape [1, 24, 8, 8] : tensor<1x24x64xf32> into tensor<1x24x8x8xf32>
    %22 = tensor.empty() : tensor<1x8x24x8xf32>
    %transposed = linalg.transpose ins(%expanded_21 : tensor<1x24x8x8xf32>) outs(%22 : tensor<1x8x24x8xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_22 = tensor.collapse_shape %18 [[0, 1], [2]] : tensor<1x24x64xf32> into tensor<24x64xf32>
    %cst_23 = arith.constant 0.000000e+00 : f32
    %23 = tensor.empty() : tensor<24x16xf32>
    %24 = linalg.fill ins(%cst_23 : f32) outs(%23 : tensor<24x16xf32>) -> tensor<24x16xf32>
    %25 = linalg.matmul ins(%collapsed_22, %cst_1 : tensor<24x64xf32>, tensor<64x16xf32>) outs(%24 : tensor<24x16xf32>) -> tensor<24x16xf32>
    %expanded_24 = tensor.expand_shape %25 [[0, 1], [2]] output_shape [1, 24, 16] : tensor<24x16xf32> into tensor<1x24x16xf32>
    %expanded_25 = tensor.expand_shape %expanded_24 [[0], [1], [2, 3]] output_shape [1, 24, 2, 8] : tensor<1x24x16xf32> into tensor<1x24x2x8xf32>
    %26 = tensor.empty() : tensor<1x2x24x8xf32>
    %transposed_26 = linalg.transpose ins(%expanded_25 : tensor<1x24x2x8xf32>) outs(%26 : tensor<1x2x24x8xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_27 = tensor.collapse_shape %18 [[0, 1], [2]] : tensor<1x24x64xf32> into tensor<24x64xf32>
    %cst_28 = arith.constant 0.000000e+00 : f32
    %27 = tensor.empty() : tensor<24x16xf32>
    %28 = linalg.fill ins(%cst_28 : f32) outs(%27 : tensor<24x16xf32>) -> tensor<24x16xf32>
    %29 = linalg.matmul ins(%collapsed_27, %cst_2 : tensor<24x64xf32>, tensor<64x16xf32>) outs(%28 : tensor<24x16xf32>) -> tensor<24x16xf32>
    %expanded_29 = tensor.expand_shape %29 [[0, 1], [2]] output_shape [1, 24, 16] : tensor<24x16xf32> into tensor<1x24x16xf32>
    %expanded_30 = tensor.expand_shape %expanded_29 [[0], [1], [2, 3]] output_shape [1, 24, 2, 8] : tensor<1x24x16xf32> into tensor<1x24x2x8xf32>
    %30 = tensor.empty() : tensor<1x2x24x8xf32>
    %transposed_31 = linalg.transpose ins(%expanded_30 : tensor<1x24x2x8xf32>) outs(%30 : tensor<1x2x24x8xf32>) permutation = [0, 2, 1, 3] 
    %31 = tensor.empty() : tensor<1x8x24x8xf32>
    %32 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed, %cst_3 : tensor<1x8x24x8xf32>, tensor<1x1x24x8xf32>) outs(%31 : tensor<1x8x24x8xf32>) {
    ^bb0(%in: f32, %in_132: f32, %out: f32):
      %258 = arith.mulf %in, %in_132 : f32
      linalg.yield %258 : f32
    } -> tensor<1x8x24x8xf32>
    %extracted_slice = tensor.extract_slice %transposed[0, 0, 0, 0] [1, 8, 24, 4] [1, 1, 1, 1] : tensor<1x8x24x8xf32> to tensor<1x8x24x4xf32>
    %extracted_slice_32 = tensor.extract_slice %transposed[0, 0, 0, 4] [1, 8, 24, 4] [1, 1, 1, 1] : tensor<1x8x24x8xf32> to tensor<1x8x24x4xf32>
    %33 = tensor.empty() : tensor<1x8x24x4xf32>
    %34 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_32 : tensor<1x8x24x4xf32>) outs(%33 : tensor<1x8x24x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %258 = arith.negf %in : f32
      linalg.yield %258 : f32
    } -> tensor<1x8x24x4xf32>
    %35 = tensor.empty() : tensor<1x8x24x8xf32>
    %inserted_slice = tensor.insert_slice %34 into %35[0, 0, 0, 0] [1, 8, 24, 4] [1, 1, 1, 1] : tensor<1x8x24x4xf32> into tensor<1x8x24x8xf32>
    %inserted_slice_33 = tensor.insert_slice %extracted_slice into %inserted_slice[0, 0, 0, 4] [1, 8, 24, 4] [1, 1, 1, 1] : tensor<1x8x24x4xf32> into tensor<1x8x24x8xf32>
    %36 = tensor.empty() : tensor<1x8x24x8xf32>
    %37 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%inserted_slice_33, %cst_4 : tensor<1x8x24x8xf32>, tensor<1x1x24x8xf32>) outs(%36 : tensor<1x8x24x8xf32>) {
    ^bb0(%in: f32, %in_132: f32, %out: f32):
      %258 = arith.mulf %in, %in_132 : f32
      linalg.yield %258 : f32
    } -> tensor<1x8x24x8xf32>
    %38 = tensor.empty() : tensor<1x8x24x8xf32>
    %39 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32, %37 : tensor<1x8x24x8xf32>, tensor<1x8x24x8xf32>) outs(%38 : tensor<1x8x24x8xf32>) {
    ^bb0(%in: f32, %in_132: f32, %out: f32):
      %258 = arith.addf %in, %in_132 : f32
      linalg.yield %258 : f32
    } -> tensor<1x8x24x8xf32>
    %40 = tensor.empty() : tensor<1x2x24x8xf32>
    %41 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_26, %cst_3 : tensor<1x2x24x8xf32>, tensor<1x1x24x8xf32>) outs(%40 : tensor<1x2x24x8xf32>) {
    ^bb0(%in: f32, %in_132: f32, %out: f32):
      %258 = arith.mulf %in, %in_132 : f32
      linalg.yield %258 : f32
    } -> tensor<1x2x24x8xf32>
    %extracted_slice_34 = tensor.extract_slice %transposed_26[0, 0, 0, 0] [1, 2, 24, 4] [1, 1, 1, 1] : tensor<1x2x24x8xf32> to tensor<1x2x24x4xf32>
    %extracted_slice_35 = tensor.extract_slice %transposed_26[0, 0, 0, 4] [1, 2, 24, 4] [1, 1, 1, 1] : tensor<1x2x24x8xf32> to tensor<1x2x24x4xf32>
    %42 = tensor.empty() : tensor<1x2x24x4xf32>
    %43 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_35 : tensor<1x2x24x4xf32>) outs(%42 : tensor<1x2x24x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %258 = arith.negf %in : f32
      linalg.yield %258 : f32
    } -> tensor<1x2x24x4xf32>
    %44 = tensor.empty() : tensor<1x2x24x8xf32>
    %inserted_slice_36 = tensor.insert_slice %43 into %44[0, 0, 0, 0] [1, 2, 24, 4] [1, 1, 1, 1] : tensor<1x2x24x4xf32> into tensor<1x2x24x8xf32>
    %inserted_slice_37 = tensor.insert_slice %extracted_slice_34 into %inserted_slice_36[0, 0, 0, 4] [1, 2, 24, 4] [1, 1, 1, 1] : tensor<1x2x24x4xf32> into tensor<1x2x24x8xf32>
    %45 = tensor.empty() : tensor<1x2x24x8xf32>
    %46 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%inserted_slice_37, %cst_4 : tensor<1x2x24x8xf32>, tensor<1x1x24x8xf32>) outs(%45 : tensor<1x2x24x8xf32>) {
    ^bb0(%in: f32, %in_132: f32, %out: f32):
      %258 = arith.mulf %in, %in_132 : f32
      linalg.yield %258 : f32
    } -> tensor<1x2x24x8xf32>
    %47 = tensor.empty() : tensor<1x2x24x8xf32>
    %48 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%41, %46 : tensor<1x2x24x8xf32>, tensor<1x2x24x8xf32>) outs(%47 : tensor<1x2x24x8xf32>) {
    ^bb0(%in: f32, %in_132: f32, %out: f32):
      %258 = arith.addf %in, %in_132 : f32
      linalg.yield %258 : f32
    } -> tensor<1x2x24x8xf32>
    %expanded_38 = tensor.expand_shape %48 [[0], [1], [2, 3], [4]] output_shape [1, 2, 1, 24, 8] : tensor<1x2x24x8xf32> into tensor<1x2x1x24x8xf32>
    %49 = tensor.empty() : tensor<1x2x4x24x8xf32>
    %50 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_38 : tensor<1x2x1x24x8xf32>) outs(%49 : tensor<1x2x4x24x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x4x24x8xf32>
    %expanded_39 = tensor.expand_shape %transposed_31 [[0], [1], [2, 3], [4]] output_shape [1, 2, 1, 24, 8] : tensor<1x2x24x8xf32> into tensor<1x2x1x24x8xf32>
    %51 = tensor.empty() : tensor<1x2x4x24x8xf32>
    %52 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_39 : tensor<1x2x1x24x8xf32>) outs(%51 : tensor<1x2x4x24x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x4x24x8xf32>
    %collapsed_40 = tensor.collapse_shape %52 [[0], [1, 2], [3], [4]] : tensor<1x2x4x24x8xf32> into tensor<1x8x24x8xf32>
    %collapsed_41 = tensor.collapse_shape %50 [[0, 1, 2], [3], [4]] : tensor<1x2x4x24x8xf32> into tensor<8x24x8xf32>
    %53 = tensor.empty() : tensor<8x8x24xf32>
    %transposed_42 = linalg.transpose ins(%collapsed_41 : tensor<8x24x8xf32>) outs(%53 : tensor<8x8x24xf32>) permutation = [0, 2, 1] 
    %expanded_43 = tensor.expand_shape %transposed_42 [[0, 1], [2], [3]] output_shape [1, 8, 8, 24] : tensor<8x8x24xf32> into tensor<1x8x8x24xf32>
    %54 = tensor.empty() : tensor<1x8x24x8xf32>
    %55 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%39 : tensor<1x8x24x8xf32>) outs(%54 : tensor<1x8x24x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_132 = arith.constant 0.594603539 : f32
      %258 = arith.mulf %in, %cst_132 : f32
      linalg.yield %258 : f32
    } -> tensor<1x8x24x8xf32>
    %56 = tensor.empty() : tensor<1x8x8x24xf32>
    %57 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_43 : tensor<1x8x8x24xf32>) outs(%56 : tensor<1x8x8x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_132 = arith.constant 0.594603539 : f32
      %258 = arith.mulf %in, %cst_132 : f32
      linalg.yield %258 : f32
    } -> tensor<1x8x8x24xf32>
    %collapsed_44 = tensor.collapse_shape %55 [[0, 1], [2], [3]] : tensor<1x8x24x8xf32> into tensor<8x24x8xf32>
    %collapsed_45 = tensor.collapse_shape %57 [[0, 1], [2], [3]] : tensor<1x8x8x24xf32> into tensor<8x8x24xf32>
    %cst_46 = arith.constant 0.000000e+00 : f32
    %58 = tensor.empty() : tensor<8x24x24xf32>
    %59 = linalg.fill ins(%cst_46 : f32) outs(%58 : tensor<8x24x24xf32>) -> tensor<8x24x24xf32>
    %60 = linalg.batch_matmul ins(%collapsed_44, %collapsed_45 : tensor<8x24x8xf32>, tensor<8x8x24xf32>) outs(%59 : tensor<8x24x24xf32>) -> tensor<8x24x24xf32>
    %expanded_47 = tensor.expand_shape %60 [[0, 1], [2], [3]] output_shape [1, 8, 24, 24] : tensor<8x24x24xf32> into tensor<1x8x24x24xf32>
    %61 = tensor.empty() : tensor<1x8x24x24xf32>
    %62 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_47, %cst_5 : tensor<1x8x24x24xf32>, tensor<1x1x24x24xf32>) outs(%61 : tensor<1x8x24x24xf32>) {
    ^bb0(%in: f32, %in_132: f32, %out: f32):
      %258 = arith.addf %in, %in_132 : f32
      linalg.yield %258 : f32
    } -> tensor<1x8x24x24xf32>
    %cst_48 = arith.constant 0xFF800000 : f32
    %63 = tensor.empty() : tensor<1x8x24xf32>
    %64 = linalg.fill ins(%cst_48 : f32) outs(%63 : tensor<1x8x24xf32>) -> tensor<1x8x24xf32>
    %65 = linalg.generic {indexing_maps = [#map4, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%62 : tensor<1x8x24x24xf32>) outs(%64 : tensor<1x8x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %258 = arith.maximumf %in, %out : f32
      linalg.yield %258 : f32
    } -> tensor<1x8x24xf32>
    %66 = tensor.empty() : tensor<1x8x24x24xf32>
    %67 = linalg.generic {indexing_maps = [#map4, #map8, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%62, %65 : tensor<1x8x24x24xf32>, tensor<1x8x24xf32>) outs(%66 : tensor<1x8x24x24xf32>) {
    ^bb0(%in: f32, %in_132: f32, %out: f32):
      %258 = arith.subf %in, %in_132 : f32
      %259 = math.exp %258 : f32
      linalg.yield %259 : f32
    } -> tensor<1x8x24x24xf32>
    %cst_49 = arith.constant 0.000000e+00 : f32
    %68 = tensor.empty() : tensor<1x8x24xf32>
    %69 = linalg.fill ins(%cst_49 : f32) outs(%68 : tensor<1x8x24xf32>) -> tensor<1x8x24xf32>
    %70 = linalg.generic {indexing_maps = [#map4, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%67 : tensor<1x8x24x24xf32>) outs(%69 : tensor<1x8x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %258 = arith.addf %in, %out : f32
      linalg.yield %258 : f32
    } -> tensor<1x8x24xf32>
    %71 = tensor.empty() : tensor<1x8x24x24xf32>
    %72 = linalg.generic {indexing_maps = [#map4, #map8, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%67, %70 : tensor<1x8x24x24xf32>, tensor<1x8x24xf32>) outs(%71 : tensor<1x8x24x24xf32>) {
    ^bb0(%in: f32, %in_132: f32, %out: f32):
      %258 = arith.divf %in, %in_132 : f32
      linalg.yield %258 : f32
    } -> tensor<1x8x24x24xf32>
    %73 = tensor.empty() : tensor<1x8x24x24xi1>
    %74 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%72 : tensor<1x8x24x24xf32>) outs(%73 : tensor<1x8x24x24xi1>) {
    ^bb0(%in: f32, %out: i1):
      %258 = arith.cmpf uno, %in, %in : f32
      linalg.yield %258 : i1
    } -> tensor<1x8x24x24xi1>
    %75 = tensor.empty() : tensor<1x8x24x24xf32>
    %76 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%74, %72 : tensor<1x8x24x24xi1>, tensor<1x8x24x24xf32>) outs(%75 : tensor<1x8x24x24xf32>) {
    ^bb0(%in: i1, %in_132: f32, %out: f32):
      %cst_133 = arith.constant 0.000000e+00 : f32
      %258 = arith.select %in, %cst_133, %in_132 : f32
      linalg.yield %258 : f32
    } -> tensor<1x8x24x24xf32>
    %collapsed_50 = tensor.collapse_shape %76 [[0, 1], [2], [3]] : tensor<1x8x24x24xf32> into tensor<8x24x24xf32>
    %collapsed_51 = tensor.collapse_shape %collapsed_40 [[0, 1], [2], [3]] : tensor<1x8x24x8xf32> into tensor<8x24x8xf32>
    %cst_52 = arith.constant 0.000000e+00 : f32
    %77 = tensor.empty() : tensor<8x24x8xf32>
    %78 = linalg.fill ins(%cst_52 : f32) outs(%77 : tensor<8x24x8xf32>) -> tensor<8x24x8xf32>
    %79 = linalg.batch_matmul ins(%collapsed_50, %collapsed_51 : tensor<8x24x24xf32>, tensor<8x24x8xf32>) outs(%78 : tensor<8x24x8xf32>) -> tensor<8x24x8xf32>
    %expanded_53 = tensor.expand_shape %79 [[0, 1], [2], [3]] output_shape [1, 8, 24, 8] : tensor<8x24x8xf32> into tensor<1x8x24x8xf32>
    %80 = tensor.empty() : tensor<1x24x8x8xf32>
    %transposed_54 = linalg.transpose ins(%expanded_53 : tensor<1x8x24x8xf32>) outs(%80 : tensor<1x24x8x8xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_55 = tensor.collapse_shape %transposed_54 [[0], [1], [2, 3]] : tensor<1x24x8x8xf32> into tensor<1x24x64xf32>
    %collapsed_56 = tensor.collapse_shape %collapsed_55 [[0, 1], [2]] : tensor<1x24x64xf32> into tensor<24x64xf32>
    %cst_57 = arith.constant 0.000000e+00 : f32
    %81 = tensor.empty() : tensor<24x64xf32>
    %82 = linalg.fill ins(%cst_57 : f32) outs(%81 : tensor<24x64xf32>) -> tensor<24x64xf32>
    %83 = linalg.matmul ins(%collapsed_56, %cst_6 : tensor<24x64xf32>, tensor<64x64xf32>) outs(%82 : tensor<24x64xf32>) -> tensor<24x64xf32>
    %expanded_58 = tensor.expand_shape %83 [[0, 1], [2]] output_shape [1, 24, 64] : tensor<24x64xf32> into tensor<1x24x64xf32>
    %84 = tensor.empty() : tensor<1x24x64xf32>
    %85 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %expanded_58 : tensor<1x24x64xf32>, tensor<1x24x64xf32>) outs(%84 : tensor<1x24x64xf32>) {
    ^bb0(%in: f32, %in_132: f32, %out: f32):
      %258 = arith.addf %in, %in_132 : f32
      linalg.yield %258 : f32
    } -> tensor<1x24x64xf32>
    %86 = tensor.empty() : tensor<1x24x64xf32>
    %87 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%85 : tensor<1x24x64xf32>) outs(%86 : tensor<1x24x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_132 = arith.constant 2.000000e+00 : f32
      %258 = arith.mulf %in, %in : f32
      linalg.yield %258 : f32
    } -> tensor<1x24x64xf32>
    %cst_59 = arith.constant 0.000000e+00 : f32
    %88 = tensor.empty() : tensor<1x24xf32>
    %89 = linalg.fill ins(%cst_59 : f32) outs(%88 : tensor<1x24xf32>) -> tensor<1x24xf32>
    %90 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%87 : tensor<1x24x64xf32>) outs(%89 : tensor<1x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %258 = arith.addf %in, %out : f32
      linalg.yield %258 : f32
    } -> tensor<1x24xf32>
    %91 = tensor.empty() : tensor<1x24xf32>
    %92 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%90 : tensor<1x24xf32>) outs(%91 : tensor<1x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_132 = arith.constant 6.400000e+01 : f32
      %258 = arith.divf %in, %cst_132 : f32
      linalg.yield %258 : f32
    } -> tensor<1x24xf32>
    %expanded_60 = tensor.expand_shape %92 [[0], [1, 2]] output_shape [1, 24, 1] : tensor<1x24xf32> into tensor<1x24x1xf32>
    %93 = tensor.empty() : tensor<1x24x1xf32>
    %94 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_60 : tensor<1x24x1xf32>) outs(%93 : tensor<1x24x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_132 = arith.constant 9.99999997E-7 : f32
      %258 = arith.addf %in, %cst_132 : f32
      linalg.yield %258 : f32
    } -> tensor<1x24x1xf32>
    %95 = tensor.empty() : tensor<1x24x1xf32>
    %96 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%94 : tensor<1x24x1xf32>) outs(%95 : tensor<1x24x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %258 = math.sqrt %in : f32
      linalg.yield %258 : f32
    } -> tensor<1x24x1xf32>
    %97 = tensor.empty() : tensor<1x24x1xf32>
    %98 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%96 : tensor<1x24x1xf32>) outs(%97 : tensor<1x24x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_132 = arith.constant 1.000000e+00 : f32
      %258 = arith.divf %cst_132, %in : f32
      linalg.yield %258 : f32
    } -> tensor<1x24x1xf32>
    %99 = tensor.empty() : tensor<1x24x64xf32>
    %100 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%85, %98 : tensor<1x24x64xf32>, tensor<1x24x1xf32>) outs(%99 : tensor<1x24x64xf32>) {
    ^bb0(%in: f32, %in_132: f32, %out: f32):
      %258 = arith.mulf %in, %in_132 : f32
      linalg.yield %258 : f32
    } -> tensor<1x24x64xf32>
    %101 = tensor.empty() : tensor<1x24x64xf32>
    %102 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%100 : tensor<1x24x64xf32>) outs(%101 : tensor<1x24x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_132 = arith.constant 1.000000e+00 : f32
      %258 = arith.mulf %cst_132, %in : f32
      linalg.yield %258 : f32
    } -> tensor<1x24x64xf32>
    %collapsed_61 = tensor.collapse_shape %102 [[0, 1], [2]] : tensor<1x24x64xf32> into tensor<24x64xf32>
    %cst_62 = arith.constant 0.000000e+00 : f32
    %103 = tensor.empty() : tensor<24x160xf32>
    %104 = linalg.fill ins(%cst_62 : f32) outs(%103 : tensor<24x160xf32>) -> tensor<24x160xf32>
    %105 = linalg.matmul ins(%collapsed_61, %cst_7 : tensor<24x64xf32>, tensor<64x160xf32>) outs(%104 : tensor<24x160xf32>) -> tensor<24x160xf32>
    %expanded_63 = tensor.expand_shape %105 [[0, 1], [2]] output_shape [1, 24, 160] : tensor<24x160xf32> into tensor<1x24x160xf32>
    %106 = tensor.empty() : tensor<1x24x160xf32>
    %107 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_63 : tensor<1x24x160xf32>) outs(%106 : tensor<1x24x160xf32>) {
    ^bb0(%in: f32, %out: f32):
      %258 = arith.negf %in : f32
      %259 = math.exp %258 : f32
      %cst_132 = arith.constant 1.000000e+00 : f32
      %cst_133 = arith.constant 1.000000e+00 : f32
      %260 = arith.addf %259, %cst_133 : f32
      %261 = arith.divf %cst_132, %260 : f32
      linalg.yield %261 : f32
    } -> tensor<1x24x160xf32>
    %108 = tensor.empty() : tensor<1x24x160xf32>
    %109 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_63, %107 : tensor<1x24x160xf32>, tensor<1x24x160xf32>) outs(%108 : tensor<1x24x160xf32>) {
    ^bb0(%in: f32, %in_132: f32, %out: f32):
      %258 = arith.mulf %in, %in_132 : f32
      linalg.yield %258 : f32
    } -> tensor<1x24x160xf32>
    %collapsed_64 = tensor.collapse_shape %102 [[0, 1], [2]] : tensor<1x24x64xf32> into tensor<24x64xf32>
    %cst_65 = arith.constant 0.000000e+00 : f32
    %110 = tensor.empty() : tensor<24x160xf32>
    %111 = linalg.fill ins(%cst_65 : f32) outs(%110 : tensor<24x160xf32>) -> tensor<24x160xf32>
    %112 = linalg.matmul ins(%collapsed_64, %cst_8 : tensor<24x64xf32>, tensor<64x160xf32>) outs(%111 : tensor<24x160xf32>) -> tensor<24x160xf32>
    %expanded_66 = tensor.expand_shape %112 [[0, 1], [2]] output_shape [1, 24, 160] : tensor<24x160xf32> into tensor<1x24x160xf32>
    %113 = tensor.empty() : tensor<1x24x160xf32>
    %114 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%109, %expanded_66 : tensor<1x24x160xf32>, tensor<1x24x160xf32>) outs(%113 : tensor<1x24x160xf32>) {
    ^bb0(%in: f32, %in_132: f32, %out: f32):
      %258 = arith.mulf %in, %in_132 : f32
      linalg.yield %258 : f32
    } -> tensor<1x24x160xf32>
    %collapsed_67 = tensor.collapse_shape %114 [[0, 1], [2]] : tensor<1x24x160xf32> into tensor<24x160xf32>
    %cst_68 = arith.constant 0.000000e+00 : f32
    %115 = tensor.empty() : tensor<24x64xf32>
    %116 = linalg.fill ins(%cst_68 : f32) outs(%115 : tensor<24x64xf32>) -> tensor<24x64xf32>
    %117 = linalg.matmul ins(%collapsed_67, %cst_9 : tensor<24x160xf32>, tensor<160x64xf32>) outs(%116 : tensor<24x64xf32>) -> tensor<24x64xf32>
    %expanded_69 = tensor.expand_shape %117 [[0, 1], [2]] output_shape [1, 24, 64] : tensor<24x64xf32> into tensor<1x24x64xf32>
    %118 = tensor.empty() : tensor<1x24x64xf32>
    %119 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%85, %expanded_69 : tensor<1x24x64xf32>, tensor<1x24x64xf32>) outs(%118 : tensor<1x24x64xf32>) {
    ^bb0(%in: f32, %in_132: f32, %out: f32):
      %258 = arith.addf %in, %in_132 : f32
      linalg.yield %258 : f32
    } -> tensor<1x24x64xf32>
    %120 = tensor.empty() : tensor<1x24x64xf32>
    %121 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%119 : tensor<1x24x64xf32>) outs(%120 : tensor<1x24x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_132 = arith.constant 2.000000e+00 : f32
      %258 = arith.mulf %in, %in : f32
      linalg.yield %258 : f32
    } -> tensor<1x24x64xf32>
    %cst_70 = arith.constant 0.000000e+00 : f32
    %122 = tensor.empty() : tensor<1x24xf32>
    %123 = linalg.fill ins(%cst_70 : f32) outs(%122 : tensor<1x24xf32>) -> tensor<1x24xf32>
    %124 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%121 : tensor<1x24x64xf32>) outs(%123 : tensor<1x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %258 = arith.addf %in, %out : f32
      linalg.yield %258 : f32
    } -> tensor<1x24xf32>
    %125 = tensor.empty() : tensor<1x24xf32>
    %126 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%124 : tensor<1x24xf32>) outs(%125 : tensor<1x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_132 = arith.constant 6.400000e+01 : f32
      %258 = arith.divf %in, %cst_132 : f32
      linalg.yield %258 : f32
    } -> tensor<1x24xf32>
    %expanded_71 = tensor.expand_shape %126 [[0], [1, 2]] output_shape [1, 24, 1] : tensor<1x24xf32> into tensor<1x24x1xf32>
    %127 = tensor.empty() : tensor<1x24x1xf32>
    %128 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_71 : tensor<1x24x1xf32>) outs(%127 : tensor<1x24x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_132 = arith.constant 9.99999997E-7 : f32
      %258 = arith.addf %in, %cst_132 : f32
      linalg.yield %258 : f32
    } -> tensor<1x24x1xf32>
    %129 = tensor.empty() : tensor<1x24x1xf32>
    %130 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%128 : tensor<1x24x1xf32>) outs(%129 : tensor<1x24x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %258 = math.sqrt %in : f32
      linalg.yield %258 : f32
    } -> tensor<1x24x1xf32>
    %131 = tensor.empty() : tensor<1x24x1xf32>
    %132 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%130 : tensor<1x24x1xf32>) outs(%131 : tensor<1x24x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_132 = arith.constant 1.000000e+00 : f32
      %258 = arith.divf %cst_132, %in : f32
      linalg.yield %258 : f32
    } -> tensor<1x24x1xf32>
    %133 = tensor.empty() : tensor<1x24x64xf32>
    %134 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%119, %132 : tensor<1x24x64xf32>, tensor<1x24x1xf32>) outs(%133 : tensor<1x24x64xf32>) {
    ^bb0(%in: f32, %in_132: f32, %out: f32):
      %258 = arith.mulf %in, %in_132 : f32
      linalg.yield %258 : f32
    } -> tensor<1x24x64xf32>
    %135 = tensor.empty() : tensor<1x24x64xf32>
    %136 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%134 : tensor<1x24x64xf32>) outs(%135 : tensor<1x24x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_132 = arith.constant 1.000000e+00 : f32
      %258 = arith.mulf %cst_132, %in : f32
      linalg.yield %258 : f32
    } -> tensor<1x24x64xf32>
    %collapsed_72 = tensor.collapse_shape %136 [[0, 1], [2]] : tensor<1x24x64xf32> into tensor<24x64xf32>
    %cst_73 = arith.constant 0.000000e+00 : f32
    %137 = tensor.empty() : tensor<24x64xf32>
    %138 = linalg.fill ins(%cst_73 : f32) outs(%137 : tensor<24x64xf32>) -> tensor<24x64xf32>
    %139 = linalg.matmul ins(%collapsed_72, %cst_10 : tensor<24x64xf32>, tensor<64x64xf32>) outs(%138 : tensor<24x64xf32>) -> tensor<24x64xf32>
    %expanded_74 = tensor.expand_shape %139 [[0, 1], [2]] output_shape [1, 24, 64] : tensor<24x64xf32> into tensor<1x24x64xf32>
    %expanded_75 = tensor.expand_shape %expanded_74 [[0], [1], [2, 3]] output_shape [1, 24, 8, 8] : tensor<1x24x64xf32> into tensor<1x24x8x8xf32>
    %140 = tensor.empty() : tensor<1x8x24x8xf32>
    %transposed_76 = linalg.transpose ins(%expanded_75 : tensor<1x24x8x8xf32>) outs(%140 : tensor<1x8x24x8xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_77 = tensor.collapse_shape %136 [[0, 1], [2]] : tensor<1x24x64xf32> into tensor<24x64xf32>
    %cst_78 = arith.constant 0.000000e+00 : f32
    %141 = tensor.empty() : tensor<24x16xf32>
    %142 = linalg.fill ins(%cst_78 : f32) outs(%141 : tensor<24x16xf32>) -> tensor<24x16xf32>
    %143 = linalg.matmul ins(%collapsed_77, %cst_11 : tensor<24x64xf32>, tensor<64x16xf32>) outs(%142 : tensor<24x16xf32>) -> tensor<24x16xf32>
    %expanded_79 = tensor.expand_shape %143 [[0, 1], [2]] output_shape [1, 24, 16] : tensor<24x16xf32> into tensor<1x24x16xf32>
    %expanded_80 = tensor.expand_shape %expanded_79 [[0], [1], [2, 3]] output_shape [1, 24, 2, 8] : tensor<1x24x16xf32> into tensor<1x24x2x8xf32>
    %144 = tensor.empty() : tensor<1x2x24x8xf32>
    %transposed_81 = linalg.transpose ins(%expanded_80 : tensor<1x24x2x8xf32>) outs(%144 : tensor<1x2x24x8xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_82 = tensor.collapse_shape %136 [[0, 1], [2]] : tensor<1x24x64xf32> into tensor<24x64xf32>
    %cst_83 = arith.constant 0.000000e+00 : f32
    %145 = tensor.empty() : tensor<24x16xf32>
    %146 = linalg.fill ins(%cst_83 : f32) outs(%145 : tensor<24x16xf32>) -> tensor<24x16xf32>
    %147 = linalg.matmul ins(%collapsed_82, %cst_12 : tensor<24x64xf32>, tensor<64x16xf32>) outs(%146 : tensor<24x16xf32>) -> tensor<24x16xf32>
    %expanded_84 = tensor.expand_shape %147 [[0, 1], [2]] output_shape [1, 24, 16] : tensor<24x16xf32> into tensor<1x24x16xf32>
    %expanded_85 = tensor.expand_shape %expanded_84 [[0], [1], [2, 3]] output_shape [1, 24, 2, 8] : tensor<1x24x16xf32> into tensor<1x24x2x8xf32>
    %148 = tensor.empty() : tensor<1x2x24x8xf32>
    %transposed_86 = linalg.transpose ins(%expanded_85 : tensor<1x24x2x8xf32>) outs(%148 : tensor<1x2x24x8xf32>) permutation = [0, 2, 1, 3] 
    %149 = tensor.empty() : tensor<1x8x24x8xf32>
    %150 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_76, %cst_3 : tensor<1x8x24x8xf32>, tensor<1x1x24x8xf32>) outs(%149 : tensor<1x8x24x8xf32>) {
    ^bb0(%in: f32, %in_132: f32, %out: f32):
      %258 = arith.mulf %in, %in_132 : f32
      linalg.yield %258 : f32
    } -> tensor<1x8x24x8xf32>
    %extracted_slice_87 = tensor.extract_slice %transposed_76[0, 0, 0, 0] [1, 8, 24, 4] [1, 1, 1, 1] : tensor<1x8x24x8xf32> to tensor<1x8x24x4xf32>
    %extracted_slice_88 = tensor.extract_slice %transposed_76[0, 0, 0, 4] [1, 8, 24, 4] [1, 1, 1, 1] : tensor<1x8x24x8xf32> to tensor<1x8x24x4xf32>
    %151 = tensor.empty() : tensor<1x8x24x4xf32>
    %152 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_88 : tensor<1x8x24x4xf32>) outs(%151 : tensor<1x8x24x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %258 = arith.negf %in : f32
      linalg.yield %258 : f32
    } -> tensor<1x8x24x4xf32>
    %153 = tensor.empty() : tensor<1x8x24x8xf32>
    %inserted_slice_89 = tensor.insert_slice %152 into %153[0, 0, 0, 0] [1, 8, 24, 4] [1, 1, 1, 1] : tensor<1x8x24x4xf32> into tensor<1x8x24x8xf32>
    %inserted_slice_90 = tensor.insert_slice %extracted_slice_87 into %inserted_slice_89[0, 0, 0, 4] [1, 8, 24, 4] [1, 1, 1, 1] : tensor<1x8x24x4xf32> into tensor<1x8x24x8xf32>
    %154 = tensor.empty() : tensor<1x8x24x8xf32>
    %155 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%inserted_slice_90, %cst_4 : tensor<1x8x24x8xf32>, tensor<1x1x24x8xf32>) outs(%154 : tensor<1x8x24x8xf32>) {
    ^bb0(%in: f32, %in_132: f32, %out: f32):
      %258 = arith.mulf %in, %in_132 : f32
      linalg.yield %258 : f32
    } -> tensor<1x8x24x8xf32>
    %156 = tensor.empty() : tensor<1x8x24x8xf32>
    %157 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%150, %155 : tensor<1x8x24x8xf32>, tensor<1x8x24x8xf32>) outs(%156 : tensor<1x8x24x8xf32>) {
    ^bb0(%in: f32, %in_132: f32, %out: f32):
      %258 = arith.addf %in, %in_132 : f32
      linalg.yield %258 : f32
    } -> tensor<1x8x24x8xf32>
    %158 = tensor.empty() : tensor<1x2x24x8xf32>
    %159 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_81, %cst_3 : tensor<1x2x24x8xf32>, tensor<1x1x24x8xf32>) outs(%158 : tensor<1x2x24x8xf32>) {
    ^bb0(%in: f32, %in_132: f32, %out: f32):
      %258 = arith.mulf %in, %in_132 : f32
      linalg.yield %258 : f32
    } -> tensor<1x2x24x8xf32>
    %extracted_slice_91 = tensor.extract_slice %transposed_81[0, 0, 0, 0] [1, 2, 24, 4] [1, 1, 1, 1] : tensor<1x2x24x8xf32> to tensor<1x2x24x4xf32>
    %extracted_slice_92 = tensor.extract_slice %transposed_81[0, 0, 0, 4] [1, 2, 24, 4] [1, 1, 1, 1] : tensor<1x2x24x8xf32> to tensor<1x2x24x4xf32>
    %160 = tensor.empty() : tensor<1x2x24x4xf32>
    %161 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_92 : tensor<1x2x24x4xf32>) outs(%160 : tensor<1x2x24x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %258 = arith.negf %in : f32
      linalg.yield %258 : f32
    } -> tensor<1x2x24x4xf32>
    %162 = tensor.empty() : tensor<1x2x24x8xf32>
    %inserted_slice_93 = tensor.insert_slice %161 into %162[0, 0, 0, 0] [1, 2, 24, 4] [1, 1, 1, 1] : tensor<1x2x24x4xf32> into tensor<1x2x24x8xf32>
    %inserted_slice_94 = tensor.insert_slice %extracted_slice_91 into %inserted_slice_93[0, 0, 0, 4] [1, 2, 24, 4] [1, 1, 1, 1] : tensor<1x2x24x4xf32> into tensor<1x2x24x8xf32>
    %163 = tensor.empty() : tensor<1x2x24x8xf32>
    %164 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%inserted_slice_94, %cst_4 : tensor<1x2x24x8xf32>, tensor<1x1x24x8xf32>) outs(%163 : tensor<1x2x24x8xf32>) {
    ^bb0(%in: f32, %in_132: f32, %out: f32):
      %258 = arith.mulf %in, %in_132 : f32
      linalg.yield %258 : f32
    } -> tensor<1x2x24x8xf32>
    %165 = tensor.empty() : tensor<1x2x24x8xf32>
    %166 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%159, %164 : tensor<1x2x24x8xf32>, tensor<1x2x24x8xf32>) outs(%165 : tensor<1x2x24x8xf32>) {
    ^bb0(%in: f32, %in_132: f32, %out: f32):
      %258 = arith.addf %in, %in_132 : f32
      linalg.yield %258 : f32
    } -> tensor<1x2x24x8xf32>
    %expanded_95 = tensor.expand_shape %166 [[0], [1], [2, 3], [4]] output_shape [1, 2, 1, 24, 8] : tensor<1x2x24x8xf32> into tensor<1x2x1x24x8xf32>
    %167 = tensor.empty() : tensor<1x2x4x24x8xf32>
    %168 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_95 : tensor<1x2x1x24x8xf32>) outs(%167 : tensor<1x2x4x24x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x4x24x8xf32>
    %expanded_96 = tensor.expand_shape %transposed_86 [[0], [1], [2, 3], [4]] output_shape [1, 2, 1, 24, 8] : tensor<1x2x24x8xf32> into tensor<1x2x1x24x8xf32>
    %169 = tensor.empty() : tensor<1x2x4x24x8xf32>
    %170 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_96 : tensor<1x2x1x24x8xf32>) outs(%169 : tensor<1x2x4x24x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x4x24x8xf32>
    %collapsed_97 = tensor.collapse_shape %170 [[0], [1, 2], [3], [4]] : tensor<1x2x4x24x8xf32> into tensor<1x8x24x8xf32>
    %collapsed_98 = tensor.collapse_shape %168 [[0, 1, 2], [3], [4]] : tensor<1x2x4x24x8xf32> into tensor<8x24x8xf32>
    %171 = tensor.empty() : tensor<8x8x24xf32>
    %transposed_99 = linalg.transpose ins(%collapsed_98 : tensor<8x24x8xf32>) outs(%171 : tensor<8x8x24xf32>) permutation = [0, 2, 1] 
    %expanded_100 = tensor.expand_shape %transposed_99 [[0, 1], [2], [3]] output_shape [1, 8, 8, 24] : tensor<8x8x24xf32> into tensor<1x8x8x24xf32>
    %172 = tensor.empty() : tensor<1x8x24x8xf32>
    %173 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%157 : tensor<1x8x24x8xf32>) outs(%172 : tensor<1x8x24x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_132 = arith.constant 0.594603539 : f32
      %258 = arith.mulf %in, %cst_132 : f32
      linalg.yield %258 : f32
    } -> tensor<1x8x24x8xf32>
    %174 = tensor.empty() : tensor<1x8x8x24xf32>
    %175 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_100 : tensor<1x8x8x24xf32>) outs(%174 : tensor<1x8x8x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_132 = arith.constant 0.594603539 : f32
      %258 = arith.mulf %in, %cst_132 : f32
      linalg.yield %258 : f32
    } -> tensor<1x8x8x24xf32>
    %collapsed_101 = tensor.collapse_shape %173 [[0, 1], [2], [3]] : tensor<1x8x24x8xf32> into tensor<8x24x8xf32>
    %collapsed_102 = tensor.collapse_shape %175 [[0, 1], [2], [3]] : tensor<1x8x8x24xf32> into tensor<8x8x24xf32>
    %cst_103 = arith.constant 0.000000e+00 : f32
    %176 = tensor.empty() : tensor<8x24x24xf32>
    %177 = linalg.fill ins(%cst_103 : f32) outs(%176 : tensor<8x24x24xf32>) -> tensor<8x24x24xf32>
    %178 = linalg.batch_matmul ins(%collapsed_101, %collapsed_102 : tensor<8x24x8xf32>, tensor<8x8x24xf32>) outs(%177 : tensor<8x24x24xf32>) -> tensor<8x24x24xf32>
    %expanded_104 = tensor.expand_shape %178 [[0, 1], [2], [3]] output_shape [1, 8, 24, 24] : tensor<8x24x24xf32> into tensor<1x8x24x24xf32>
    %179 = tensor.empty() : tensor<1x8x24x24xf32>
    %180 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_104, %cst_5 : tensor<1x8x24x24xf32>, tensor<1x1x24x24xf32>) outs(%179 : tensor<1x8x24x24xf32>) {
    ^bb0(%in: f32, %in_132: f32, %out: f32):
      %258 = arith.addf %in, %in_132 : f32
      linalg.yield %258 : f32
    } -> tensor<1x8x24x24xf32>
    %cst_105 = arith.constant 0xFF800000 : f32
    %181 = tensor.empty() : tensor<1x8x24xf32>
    %182 = linalg.fill ins(%cst_105 : f32) outs(%181 : tensor<1x8x24xf32>) -> tensor<1x8x24xf32>
    %183 = linalg.generic {indexing_maps = [#map4, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%180 : tensor<1x8x24x24xf32>) outs(%182 : tensor<1x8x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %258 = arith.maximumf %in, %out : f32
      linalg.yield %258 : f32
    } -> tensor<1x8x24xf32>
    %184 = tensor.empty() : tensor<1x8x24x24xf32>
    %185 = linalg.generic {indexing_maps = [#map4, #map8, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%180, %183 : tensor<1x8x24x24xf32>, tensor<1x8x24xf32>) outs(%184 : tensor<1x8x24x24xf32>) {
    ^bb0(%in: f32, %in_132: f32, %out: f32):
      %258 = arith.subf %in, %in_132 : f32
      %259 = math.exp %258 : f32
      linalg.yield %259 : f32
    } -> tensor<1x8x24x24xf32>
    %cst_106 = arith.constant 0.000000e+00 : f32
    %186 = tensor.empty() : tensor<1x8x24xf32>
    %187 = linalg.fill ins(%cst_106 : f32) outs(%186 : tensor<1x8x24xf32>) -> tensor<1x8x24xf32>
    %188 = linalg.generic {indexing_maps = [#map4, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%185 : tensor<1x8x24x24xf32>) outs(%187 : tensor<1x8x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %258 = arith.addf %in, %out : f32
      linalg.yield %258 : f32
    } -> tensor<1x8x24xf32>
    %189 = tensor.empty() : tensor<1x8x24x24xf32>
    %190 = linalg.generic {indexing_maps = [#map4, #map8, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%185, %188 : tensor<1x8x24x24xf32>, tensor<1x8x24xf32>) outs(%189 : tensor<1x8x24x24xf32>) {
    ^bb0(%in: f32, %in_132: f32, %out: f32):
      %258 = arith.divf %in, %in_132 : f32
      linalg.yield %258 : f32
    } -> tensor<1x8x24x24xf32>
    %191 = tensor.empty() : tensor<1x8x24x24xi1>
    %192 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%190 : tensor<1x8x24x24xf32>) outs(%191 : tensor<1x8x24x24xi1>) {
    ^bb0(%in: f32, %out: i1):
      %258 = arith.cmpf uno, %in, %in : f32
      linalg.yield %258 : i1
    } -> tensor<1x8x24x24xi1>
    %193 = tensor.empty() : tensor<1x8x24x24xf32>
    %194 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%192, %190 : tensor<1x8x24x24xi1>, tensor<1x8x24x24xf32>) outs(%193 : tensor<1x8x24x24xf32>) {
    ^bb0(%in: i1, %in_132: f32, %out: f32):
      %cst_133 = arith.constant 0.000000e+00 : f32
      %258 = arith.select %in, %cst_133, %in_132 : f32
      linalg.yield %258 : f32
    } -> tensor<1x8x24x24xf32>
    %collapsed_107 = tensor.collapse_shape %194 [[0, 1], [2], [3]] : tensor<1x8x24x24xf32> into tensor<8x24x24xf32>
    %collapsed_108 = tensor.collapse_shape %collapsed_97 [[0, 1], [2], [3]] : tensor<1x8x24x8xf32> into tensor<8x24x8xf32>
    %cst_109 = arith.constant 0.000000e+00 : f32
    %195 = tensor.empty() : tensor<8x24x8xf32>
    %196 = linalg.fill ins(%cst_109 : f32) outs(%195 : tensor<8x24x8xf32>) -> tensor<8x24x8xf32>
    %197 = linalg.batch_matmul ins(%collapsed_107, %collapsed_108 : tensor<8x24x24xf32>, tensor<8x24x8xf32>) outs(%196 : tensor<8x24x8xf32>) -> tensor<8x24x8xf32>
    %expanded_110 = tensor.expand_shape %197 [[0, 1], [2], [3]] output_shape [1, 8, 24, 8] : tensor<8x24x8xf32> into tensor<1x8x24x8xf32>
    %198 = tensor.empty() : tensor<1x24x8x8xf32>
    %transposed_111 = linalg.transpose ins(%expanded_110 : tensor<1x8x24x8xf32>) outs(%198 : tensor<1x24x8x8xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_112 = tensor.collapse_shape %transposed_111 [[0], [1], [2, 3]] : tensor<1x24x8x8xf32> into tensor<1x24x64xf32>
    %collapsed_113 = tensor.collapse_shape %collapsed_112 [[0, 1], [2]] : tensor<1x24x64xf32> into tensor<24x64xf32>
    %cst_114 = arith.constant 0.000000e+00 : f32
    %199 = tensor.empty() : tensor<24x64xf32>
    %200 = linalg.fill ins(%cst_114 : f32) outs(%199 : tensor<24x64xf32>) -> tensor<24x64xf32>
    %201 = linalg.matmul ins(%collapsed_113, %cst_13 : tensor<24x64xf32>, tensor<64x64xf32>) outs(%200 : tensor<24x64xf32>) -> tensor<24x64xf32>
    %expanded_115 = tensor.expand_shape %201 [[0, 1], [2]] output_shape [1, 24, 64] : tensor<24x64xf32> into tensor<1x24x64xf32>
    %202 = tensor.empty() : tensor<1x24x64xf32>
    %203 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%119, %expanded_115 : tensor<1x24x64xf32>, tensor<1x24x64xf32>) outs(%202 : tensor<1x24x64xf32>) {
    ^bb0(%in: f32, %in_132: f32, %out: f32):
      %258 = arith.addf %in, %in_132 : f32
      linalg.yield %258 : f32
    } -> tensor<1x24x64xf32>
    %204 = tensor.empty() : tensor<1x24x64xf32>
    %205 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%203 : tensor<1x24x64xf32>) outs(%204 : tensor<1x24x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_132 = arith.constant 2.000000e+00 : f32
      %258 = arith.mulf %in, %in : f32
      linalg.yield %258 : f32
    } -> tensor<1x24x64xf32>
    %cst_116 = arith.constant 0.000000e+00 : f32
    %206 = tensor.empty() : tensor<1x24xf32>
    %207 = linalg.fill ins(%cst_116 : f32) outs(%206 : tensor<1x24xf32>) -> tensor<1x24xf32>
    %208 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%205 : tensor<1x24x64xf32>) outs(%207 : tensor<1x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %258 = arith.addf %in, %out : f32
      linalg.yield %258 : f32
    } -> tensor<1x24xf32>
    %209 = tensor.empty() : tensor<1x24xf32>
    %210 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%208 : tensor<1x24xf32>) outs(%209 : tensor<1x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_132 = arith.constant 6.400000e+01 : f32
      %258 = arith.divf %in, %cst_132 : f32
      linalg.yield %258 : f32
    } -> tensor<1x24xf32>
    %expanded_117 = tensor.expand_shape %210 [[0], [1, 2]] output_shape [1, 24, 1] : tensor<1x24xf32> into tensor<1x24x1xf32>
    %211 = tensor.empty() : tensor<1x24x1xf32>
    %212 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_117 : tensor<1x24x1xf32>) outs(%211 : tensor<1x24x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_132 = arith.constant 9.99999997E-7 : f32
      %258 = arith.addf %in, %cst_132 : f32
      linalg.yield %258 : f32
    } -> tensor<1x24x1xf32>
    %213 = tensor.empty() : tensor<1x24x1xf32>
    %214 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%212 : tensor<1x24x1xf32>) outs(%213 : tensor<1x24x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %258 = math.sqrt %in : f32
      linalg.yield %258 : f32
    } -> tensor<1x24x1xf32>
    %215 = tensor.empty() : tensor<1x24x1xf32>
    %216 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%214 : tensor<1x24x1xf32>) outs(%215 : tensor<1x24x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_132 = arith.constant 1.000000e+00 : f32
      %258 = arith.divf %cst_132, %in : f32
      linalg.yield %258 : f32
    } -> tensor<1x24x1xf32>
    %217 = tensor.empty() : tensor<1x24x64xf32>
    %218 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%203, %216 : tensor<1x24x64xf32>, tensor<1x24x1xf32>) outs(%217 : tensor<1x24x64xf32>) {
    ^bb0(%in: f32, %in_132: f32, %out: f32):
      %258 = arith.mulf %in, %in_132 : f32
      linalg.yield %258 : f32
    } -> tensor<1x24x64xf32>
    %219 = tensor.empty() : tensor<1x24x64xf32>
    %220 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%218 : tensor<1x24x64xf32>) outs(%219 : tensor<1x24x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_132 = arith.constant 1.000000e+00 : f32
      %258 = arith.mulf %cst_132, %in : f32
      linalg.yield %258 : f32
    } -> tensor<1x24x64xf32>
    %collapsed_118 = tensor.collapse_shape %220 [[0, 1], [2]] : tensor<1x24x64xf32> into tensor<24x64xf32>
    %cst_119 = arith.constant 0.000000e+00 : f32
    %221 = tensor.empty() : tensor<24x160xf32>
    %222 = linalg.fill ins(%cst_119 : f32) outs(%221 : tensor<24x160xf32>) -> tensor<24x160xf32>
    %223 = linalg.matmul ins(%collapsed_118, %cst_14 : tensor<24x64xf32>, tensor<64x160xf32>) outs(%222 : tensor<24x160xf32>) -> tensor<24x160xf32>
    %expanded_120 = tensor.expand_shape %223 [[0, 1], [2]] output_shape [1, 24, 160] : tensor<24x160xf32> into tensor<1x24x160xf32>
    %224 = tensor.empty() : tensor<1x24x160xf32>
    %225 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_120 : tensor<1x24x160xf32>) outs(%224 : tensor<1x24x160xf32>) {
    ^bb0(%in: f32, %out: f32):
      %258 = arith.negf %in : f32
      %259 = math.exp %258 : f32
      %cst_132 = arith.constant 1.000000e+00 : f32
      %cst_133 = arith.constant 1.000000e+00 : f32
      %260 = arith.addf %259, %cst_133 : f32
      %261 = arith.divf %cst_132, %260 : f32
      linalg.yield %261 : f32
    } -> tensor<1x24x160xf32>
    %226 = tensor.empty() : tensor<1x24x160xf32>
    %227 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_120, %225 : tensor<1x24x160xf32>, tensor<1x24x160xf32>) outs(%226 : tensor<1x24x160xf32>) {
    ^bb0(%in: f32, %in_132: f32, %out: f32):
      %258 = arith.mulf %in, %in_132 : f32
      linalg.yield %258 : f32
    } -> tensor<1x24x160xf32>
    %collapsed_121 = tensor.collapse_shape %220 [[0, 1], [2]] : tensor<1x24x64xf32> into tensor<24x64xf32>
    %cst_122 = arith.constant 0.000000e+00 : f32
    %228 = tensor.empty() : tensor<24x160xf32>
    %229 = linalg.fill ins(%cst_122 : f32) outs(%228 : tensor<24x160xf32>) -> tensor<24x160xf32>
    %230 = linalg.matmul ins(%collapsed_121, %cst_15 : tensor<24x64xf32>, tensor<64x160xf32>) outs(%229 : tensor<24x160xf32>) -> tensor<24x160xf32>
    %expanded_123 = tensor.expand_shape %230 [[0, 1], [2]] output_shape [1, 24, 160] : tensor<24x160xf32> into tensor<1x24x160xf32>
    %231 = tensor.empty() : tensor<1x24x160xf32>
    %232 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%227, %expanded_123 : tensor<1x24x160xf32>, tensor<1x24x160xf32>) outs(%231 : tensor<1x24x160xf32>) {
    ^bb0(%in: f32, %in_132: f32, %out: f32):
      %258 = arith.mulf %in, %in_132 : f32
      linalg.yield %258 : f32
    } -> tensor<1x24x160xf32>
    %collapsed_124 = tensor.collapse_shape %232 [[0, 1], [2]] : tensor<1x24x160xf32> into tensor<24x160xf32>
    %cst_125 = arith.constant 0.000000e+00 : f32
    %233 = tensor.empty() : tensor<24x64xf32>
    %234 = linalg.fill ins(%cst_125 : f32) outs(%233 : tensor<24x64xf32>) -> tensor<24x64xf32>
    %235 = linalg.matmul ins(%collapsed_124, %cst_16 : tensor<24x160xf32>, tensor<160x64xf32>) outs(%234 : tensor<24x64xf32>) -> tensor<24x64xf32>
    %expanded_126 = tensor.expand_shape %235 [[0, 1], [2]] output_shape [1, 24, 64] : tensor<24x64xf32> into tensor<1x24x64xf32>
    %236 = tensor.empty() : tensor<1x24x64xf32>
    %237 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%203, %expanded_126 : tensor<1x24x64xf32>, tensor<1x24x64xf32>) outs(%236 : tensor<1x24x64xf32>) {
    ^bb0(%in: f32, %in_132: f32, %out: f32):
      %258 = arith.addf %in, %in_132 : f32
      linalg.yield %258 : f32
    } -> tensor<1x24x64xf32>
    %238 = tensor.empty() : tensor<1x24x64xf32>
    %239 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%237 : tensor<1x24x64xf32>) outs(%238 : tensor<1x24x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_132 = arith.constant 2.000000e+00 : f32
      %258 = arith.mulf %in, %in : f32
      linalg.yield %258 : f32
    } -> tensor<1x24x64xf32>
    %cst_127 = arith.constant 0.000000e+00 : f32
    %240 = tensor.empty() : tensor<1x24xf32>
    %241 = linalg.fill ins(%cst_127 : f32) outs(%240 : tensor<1x24xf32>) -> tensor<1x24xf32>
    %242 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%239 : tensor<1x24x64xf32>) outs(%241 : tensor<1x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %258 = arith.addf %in, %out : f32
      linalg.yield %258 : f32
    } -> tensor<1x24xf32>
    %243 = tensor.empty() : tensor<1x24xf32>
    %244 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%242 : tensor<1x24xf32>) outs(%243 : tensor<1x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_132 = arith.constant 6.400000e+01 : f32
      %258 = arith.divf %in, %cst_132 : f32
      linalg.yield %258 : f32
    } -> tensor<1x24xf32>
    %expanded_128 = tensor.expand_shape %244 [[0], [1, 2]] output_shape [1, 24, 1] : tensor<1x24xf32> into tensor<1x24x1xf32>
    %245 = tensor.empty() : tensor<1x24x1xf32>
    %246 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_128 : tensor<1x24x1xf32>) outs(%245 : tensor<1x24x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_132 = arith.constant 9.99999997E-7 : f32
      %258 = arith.addf %in, %cst_132 : f32
      linalg.yield %258 : f32
    } -> tensor<1x24x1xf32>
    %247 = tensor.empty() : tensor<1x24x1xf32>
    %248 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%246 : tensor<1x24x1xf32>) outs(%247 : tensor<1x24x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %258 = math.sqrt %in : f32
      linalg.yield %258 : f32
    } -> tensor<1x24x1xf32>
    %249 = tensor.empty() : tensor<1x24x1xf32>
    %250 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%248 : tensor<1x24x1xf32>) outs(%249 : tensor<1x24x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_132 = arith.constant 1.000000e+00 : f32
      %258 = arith.divf %cst_132, %in : f32
      linalg.yield %258 : f32
    } -> tensor<1x24x1xf32>
    %251 = tensor.empty() : tensor<1x24x64xf32>
    %252 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%237, %250 : tensor<1x24x64xf32>, tensor<1x24x1xf32>) outs(%251 : tensor<1x24x64xf32>) {
    ^bb0(%in: f32, %in_132: f32, %out: f32):
      %258 = arith.mulf %in, %in_132 : f32
      linalg.yield %258 : f32
    } -> tensor<1x24x64xf32>
    %253 = tensor.empty() : tensor<1x24x64xf32>
    %254 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%252 : tensor<1x24x64xf32>) outs(%253 : tensor<1x24x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_132 = arith.constant 1.000000e+00 : f32
      %258 = arith.mulf %cst_132, %in : f32
      linalg.yield %258 : f32
    } -> tensor<1x24x64xf32>
    %collapsed_129 = tensor.collapse_shape %254 [[0, 1], [2]] : tensor<1x24x64xf32> into tensor<24x64xf32>
    %cst_130 = arith.constant 0.000000e+00 : f32
    %255 = tensor.empty() : tensor<24x512xf32>
    %256 = linalg.fill ins(%cst_130 : f32) outs(%255 : tensor<24x512xf32>) -> tensor<24x512xf32>
    %257 = linalg.matmul ins(%collapsed_129, %cst_17 : tensor<24x64xf32>, tensor<64x512xf32>) outs(%256 : tensor<24x512xf32>) -> tensor<24x512xf32>
    %expanded_131 = tensor.expand_shape %257 [[0, 1], [2]] output_shape [1, 24, 512] : tensor<24x512xf32> into tensor<1x24x512xf32>
    return %expanded_131 : tensor<1x24x512xf32>
  }
}

