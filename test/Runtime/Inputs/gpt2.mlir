// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#map = affine_map<(d0, d1, d2) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map6 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map7 = affine_map<(d0, d1, d2) -> (d1, d2)>
module {
  func.func @main(%cst: tensor<1x128xi64>, %arg0: tensor<1x128xi64>, %arg1: tensor<1024x768xf32>, %arg2: tensor<768x2304xf32>, %arg3: tensor<768x768xf32>, %arg4: tensor<768x3072xf32>, %arg5: tensor<3072x768xf32>, %arg6: tensor<768x2304xf32>, %arg7: tensor<768x768xf32>, %arg8: tensor<768x3072xf32>, %arg9: tensor<3072x768xf32>, %arg10: tensor<50257x768xf32>, %arg11: tensor<1x1x128x128xi1>, %arg12: tensor<1x1x128x128xi1>) -> (tensor<1x128x50257xf32>) {
    %0 = tensor.empty() : tensor<1x128x768xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x128xi64>) outs(%0 : tensor<1x128x768xf32>) {
    ^bb0(%in: i64, %out: f32):
      %c0_i64 = arith.constant 0 : i64
      %201 = arith.cmpi slt, %in, %c0_i64 : i64
      %c50257_i64 = arith.constant 50257 : i64
      %202 = arith.addi %in, %c50257_i64 : i64
      %203 = arith.select %201, %202, %in : i64
      %204 = arith.maxsi %203, %c0_i64 : i64
      %c50256_i64 = arith.constant 50256 : i64
      %205 = arith.minsi %204, %c50256_i64 : i64
      %206 = arith.index_cast %205 : i64 to index
      %207 = linalg.index 2 : index
      %extracted = tensor.extract %arg10[%206, %207] : tensor<50257x768xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x128x768xf32>
    %2 = tensor.empty() : tensor<1x128x768xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst : tensor<1x128xi64>) outs(%2 : tensor<1x128x768xf32>) {
    ^bb0(%in: i64, %out: f32):
      %c0_i64 = arith.constant 0 : i64
      %201 = arith.cmpi slt, %in, %c0_i64 : i64
      %c1024_i64 = arith.constant 1024 : i64
      %202 = arith.addi %in, %c1024_i64 : i64
      %203 = arith.select %201, %202, %in : i64
      %204 = arith.maxsi %203, %c0_i64 : i64
      %c1023_i64 = arith.constant 1023 : i64
      %205 = arith.minsi %204, %c1023_i64 : i64
      %206 = arith.index_cast %205 : i64 to index
      %207 = linalg.index 2 : index
      %extracted = tensor.extract %arg1[%206, %207] : tensor<1024x768xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x128x768xf32>
    %4 = tensor.empty() : tensor<1x128x768xf32>
    %5 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %3 : tensor<1x128x768xf32>, tensor<1x128x768xf32>) outs(%4 : tensor<1x128x768xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %201 = arith.addf %in, %in_79 : f32
      linalg.yield %201 : f32
    } -> tensor<1x128x768xf32>
    %6 = tensor.empty() : tensor<1x1x128x128xi1>
    %7 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg11 : tensor<1x1x128x128xi1>) outs(%6 : tensor<1x1x128x128xi1>) {
    ^bb0(%in: i1, %out: i1):
      %true = arith.constant true
      %201 = arith.andi %true, %in : i1
      linalg.yield %201 : i1
    } -> tensor<1x1x128x128xi1>
    %8 = tensor.empty() : tensor<1x1x128x128xi1>
    %9 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7, %arg12 : tensor<1x1x128x128xi1>, tensor<1x1x128x128xi1>) outs(%8 : tensor<1x1x128x128xi1>) {
    ^bb0(%in: i1, %in_79: i1, %out: i1):
      %201 = arith.andi %in, %in_79 : i1
      linalg.yield %201 : i1
    } -> tensor<1x1x128x128xi1>
    %cst_0 = arith.constant 0.000000e+00 : f32
    %10 = tensor.empty() : tensor<1x128xf32>
    %11 = linalg.fill ins(%cst_0 : f32) outs(%10 : tensor<1x128xf32>) -> tensor<1x128xf32>
    %12 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%5 : tensor<1x128x768xf32>) outs(%11 : tensor<1x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %201 = arith.addf %in, %out : f32
      linalg.yield %201 : f32
    } -> tensor<1x128xf32>
    %13 = tensor.empty() : tensor<1x128xf32>
    %14 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%12 : tensor<1x128xf32>) outs(%13 : tensor<1x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_79 = arith.constant 7.680000e+02 : f32
      %201 = arith.divf %in, %cst_79 : f32
      linalg.yield %201 : f32
    } -> tensor<1x128xf32>
    %cst_1 = arith.constant 0.000000e+00 : f32
    %15 = tensor.empty() : tensor<1x128xf32>
    %16 = linalg.fill ins(%cst_1 : f32) outs(%15 : tensor<1x128xf32>) -> tensor<1x128xf32>
    %17 = linalg.generic {indexing_maps = [#map1, #map, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%5, %14 : tensor<1x128x768xf32>, tensor<1x128xf32>) outs(%16 : tensor<1x128xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %201 = arith.subf %in, %in_79 : f32
      %202 = arith.mulf %201, %201 : f32
      %203 = arith.addf %202, %out : f32
      linalg.yield %203 : f32
    } -> tensor<1x128xf32>
    %18 = tensor.empty() : tensor<1x128xf32>
    %19 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%17 : tensor<1x128xf32>) outs(%18 : tensor<1x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_79 = arith.constant 7.680000e+02 : f32
      %201 = arith.divf %in, %cst_79 : f32
      %cst_80 = arith.constant 9.99999974E-6 : f32
      %202 = arith.addf %201, %cst_80 : f32
      %203 = math.rsqrt %202 : f32
      linalg.yield %203 : f32
    } -> tensor<1x128xf32>
    %20 = tensor.empty() : tensor<1x128x768xf32>
    %21 = linalg.generic {indexing_maps = [#map1, #map, #map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5, %14, %19 : tensor<1x128x768xf32>, tensor<1x128xf32>, tensor<1x128xf32>) outs(%20 : tensor<1x128x768xf32>) {
    ^bb0(%in: f32, %in_79: f32, %in_80: f32, %out: f32):
      %cst_81 = arith.constant 1.000000e+00 : f32
      %cst_82 = arith.constant 0.000000e+00 : f32
      %201 = arith.subf %in, %in_79 : f32
      %202 = arith.mulf %201, %in_80 : f32
      %203 = arith.mulf %202, %cst_81 : f32
      %204 = arith.addf %203, %cst_82 : f32
      linalg.yield %204 : f32
    } -> tensor<1x128x768xf32>
    %collapsed = tensor.collapse_shape %21 [[0, 1], [2]] : tensor<1x128x768xf32> into tensor<128x768xf32>
    %cst_2 = arith.constant 0.000000e+00 : f32
    %22 = tensor.empty() : tensor<128x2304xf32>
    %23 = linalg.fill ins(%cst_2 : f32) outs(%22 : tensor<128x2304xf32>) -> tensor<128x2304xf32>
    %24 = linalg.matmul ins(%collapsed, %arg2 : tensor<128x768xf32>, tensor<768x2304xf32>) outs(%23 : tensor<128x2304xf32>) -> tensor<128x2304xf32>
    %expanded = tensor.expand_shape %24 [[0, 1], [2]] output_shape [1, 128, 2304] : tensor<128x2304xf32> into tensor<1x128x2304xf32>
    %extracted_slice = tensor.extract_slice %expanded[0, 0, 0] [1, 128, 768] [1, 1, 1] : tensor<1x128x2304xf32> to tensor<1x128x768xf32>
    %extracted_slice_3 = tensor.extract_slice %expanded[0, 0, 768] [1, 128, 768] [1, 1, 1] : tensor<1x128x2304xf32> to tensor<1x128x768xf32>
    %extracted_slice_4 = tensor.extract_slice %expanded[0, 0, 1536] [1, 128, 768] [1, 1, 1] : tensor<1x128x2304xf32> to tensor<1x128x768xf32>
    %expanded_5 = tensor.expand_shape %extracted_slice_3 [[0], [1], [2, 3]] output_shape [1, 128, 12, 64] : tensor<1x128x768xf32> into tensor<1x128x12x64xf32>
    %25 = tensor.empty() : tensor<1x12x128x64xf32>
    %transposed = linalg.transpose ins(%expanded_5 : tensor<1x128x12x64xf32>) outs(%25 : tensor<1x12x128x64xf32>) permutation = [0, 2, 1, 3] 
    %expanded_6 = tensor.expand_shape %extracted_slice_4 [[0], [1], [2, 3]] output_shape [1, 128, 12, 64] : tensor<1x128x768xf32> into tensor<1x128x12x64xf32>
    %26 = tensor.empty() : tensor<1x12x128x64xf32>
    %transposed_7 = linalg.transpose ins(%expanded_6 : tensor<1x128x12x64xf32>) outs(%26 : tensor<1x12x128x64xf32>) permutation = [0, 2, 1, 3] 
    %expanded_8 = tensor.expand_shape %extracted_slice [[0], [1], [2, 3]] output_shape [1, 128, 12, 64] : tensor<1x128x768xf32> into tensor<1x128x12x64xf32>
    %27 = tensor.empty() : tensor<1x12x128x64xf32>
    %transposed_9 = linalg.transpose ins(%expanded_8 : tensor<1x128x12x64xf32>) outs(%27 : tensor<1x12x128x64xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_10 = tensor.collapse_shape %transposed [[0, 1], [2], [3]] : tensor<1x12x128x64xf32> into tensor<12x128x64xf32>
    %28 = tensor.empty() : tensor<12x64x128xf32>
    %transposed_11 = linalg.transpose ins(%collapsed_10 : tensor<12x128x64xf32>) outs(%28 : tensor<12x64x128xf32>) permutation = [0, 2, 1] 
    %expanded_12 = tensor.expand_shape %transposed_11 [[0, 1], [2], [3]] output_shape [1, 12, 64, 128] : tensor<12x64x128xf32> into tensor<1x12x64x128xf32>
    %29 = tensor.empty() : tensor<1x12x128x64xf32>
    %30 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_9 : tensor<1x12x128x64xf32>) outs(%29 : tensor<1x12x128x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_79 = arith.constant 0.353553385 : f32
      %201 = arith.mulf %in, %cst_79 : f32
      linalg.yield %201 : f32
    } -> tensor<1x12x128x64xf32>
    %31 = tensor.empty() : tensor<1x12x64x128xf32>
    %32 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_12 : tensor<1x12x64x128xf32>) outs(%31 : tensor<1x12x64x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_79 = arith.constant 0.353553385 : f32
      %201 = arith.mulf %in, %cst_79 : f32
      linalg.yield %201 : f32
    } -> tensor<1x12x64x128xf32>
    %33 = tensor.empty() : tensor<1x1x128x128xf32>
    %34 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<1x1x128x128xi1>) outs(%33 : tensor<1x1x128x128xf32>) {
    ^bb0(%in: i1, %out: f32):
      %cst_79 = arith.constant 0.000000e+00 : f32
      %cst_80 = arith.constant -3.40282347E+38 : f32
      %201 = arith.select %in, %cst_79, %cst_80 : f32
      linalg.yield %201 : f32
    } -> tensor<1x1x128x128xf32>
    %collapsed_13 = tensor.collapse_shape %30 [[0, 1], [2], [3]] : tensor<1x12x128x64xf32> into tensor<12x128x64xf32>
    %collapsed_14 = tensor.collapse_shape %32 [[0, 1], [2], [3]] : tensor<1x12x64x128xf32> into tensor<12x64x128xf32>
    %cst_15 = arith.constant 0.000000e+00 : f32
    %35 = tensor.empty() : tensor<12x128x128xf32>
    %36 = linalg.fill ins(%cst_15 : f32) outs(%35 : tensor<12x128x128xf32>) -> tensor<12x128x128xf32>
    %37 = linalg.batch_matmul ins(%collapsed_13, %collapsed_14 : tensor<12x128x64xf32>, tensor<12x64x128xf32>) outs(%36 : tensor<12x128x128xf32>) -> tensor<12x128x128xf32>
    %expanded_16 = tensor.expand_shape %37 [[0, 1], [2], [3]] output_shape [1, 12, 128, 128] : tensor<12x128x128xf32> into tensor<1x12x128x128xf32>
    %38 = tensor.empty() : tensor<1x12x128x128xf32>
    %39 = linalg.generic {indexing_maps = [#map2, #map4, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_16, %34 : tensor<1x12x128x128xf32>, tensor<1x1x128x128xf32>) outs(%38 : tensor<1x12x128x128xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %201 = arith.addf %in, %in_79 : f32
      linalg.yield %201 : f32
    } -> tensor<1x12x128x128xf32>
    %cst_17 = arith.constant 0xFF800000 : f32
    %40 = tensor.empty() : tensor<1x12x128xf32>
    %41 = linalg.fill ins(%cst_17 : f32) outs(%40 : tensor<1x12x128xf32>) -> tensor<1x12x128xf32>
    %42 = linalg.generic {indexing_maps = [#map2, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%39 : tensor<1x12x128x128xf32>) outs(%41 : tensor<1x12x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %201 = arith.maximumf %in, %out : f32
      linalg.yield %201 : f32
    } -> tensor<1x12x128xf32>
    %43 = tensor.empty() : tensor<1x12x128x128xf32>
    %44 = linalg.generic {indexing_maps = [#map2, #map5, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%39, %42 : tensor<1x12x128x128xf32>, tensor<1x12x128xf32>) outs(%43 : tensor<1x12x128x128xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %201 = arith.subf %in, %in_79 : f32
      %202 = math.exp %201 : f32
      linalg.yield %202 : f32
    } -> tensor<1x12x128x128xf32>
    %cst_18 = arith.constant 0.000000e+00 : f32
    %45 = tensor.empty() : tensor<1x12x128xf32>
    %46 = linalg.fill ins(%cst_18 : f32) outs(%45 : tensor<1x12x128xf32>) -> tensor<1x12x128xf32>
    %47 = linalg.generic {indexing_maps = [#map2, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%44 : tensor<1x12x128x128xf32>) outs(%46 : tensor<1x12x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %201 = arith.addf %in, %out : f32
      linalg.yield %201 : f32
    } -> tensor<1x12x128xf32>
    %48 = tensor.empty() : tensor<1x12x128x128xf32>
    %49 = linalg.generic {indexing_maps = [#map2, #map5, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%44, %47 : tensor<1x12x128x128xf32>, tensor<1x12x128xf32>) outs(%48 : tensor<1x12x128x128xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %201 = arith.divf %in, %in_79 : f32
      linalg.yield %201 : f32
    } -> tensor<1x12x128x128xf32>
    %50 = tensor.empty() : tensor<1x12x128x128xi1>
    %51 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%49 : tensor<1x12x128x128xf32>) outs(%50 : tensor<1x12x128x128xi1>) {
    ^bb0(%in: f32, %out: i1):
      %201 = arith.cmpf uno, %in, %in : f32
      linalg.yield %201 : i1
    } -> tensor<1x12x128x128xi1>
    %52 = tensor.empty() : tensor<1x12x128x128xf32>
    %53 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%51, %49 : tensor<1x12x128x128xi1>, tensor<1x12x128x128xf32>) outs(%52 : tensor<1x12x128x128xf32>) {
    ^bb0(%in: i1, %in_79: f32, %out: f32):
      %cst_80 = arith.constant 0.000000e+00 : f32
      %201 = arith.select %in, %cst_80, %in_79 : f32
      linalg.yield %201 : f32
    } -> tensor<1x12x128x128xf32>
    %collapsed_19 = tensor.collapse_shape %53 [[0, 1], [2], [3]] : tensor<1x12x128x128xf32> into tensor<12x128x128xf32>
    %collapsed_20 = tensor.collapse_shape %transposed_7 [[0, 1], [2], [3]] : tensor<1x12x128x64xf32> into tensor<12x128x64xf32>
    %cst_21 = arith.constant 0.000000e+00 : f32
    %54 = tensor.empty() : tensor<12x128x64xf32>
    %55 = linalg.fill ins(%cst_21 : f32) outs(%54 : tensor<12x128x64xf32>) -> tensor<12x128x64xf32>
    %56 = linalg.batch_matmul ins(%collapsed_19, %collapsed_20 : tensor<12x128x128xf32>, tensor<12x128x64xf32>) outs(%55 : tensor<12x128x64xf32>) -> tensor<12x128x64xf32>
    %expanded_22 = tensor.expand_shape %56 [[0, 1], [2], [3]] output_shape [1, 12, 128, 64] : tensor<12x128x64xf32> into tensor<1x12x128x64xf32>
    %57 = tensor.empty() : tensor<1x128x12x64xf32>
    %transposed_23 = linalg.transpose ins(%expanded_22 : tensor<1x12x128x64xf32>) outs(%57 : tensor<1x128x12x64xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_24 = tensor.collapse_shape %transposed_23 [[0, 1], [2, 3]] : tensor<1x128x12x64xf32> into tensor<128x768xf32>
    %cst_25 = arith.constant 0.000000e+00 : f32
    %58 = tensor.empty() : tensor<128x768xf32>
    %59 = linalg.fill ins(%cst_25 : f32) outs(%58 : tensor<128x768xf32>) -> tensor<128x768xf32>
    %60 = linalg.matmul ins(%collapsed_24, %arg3 : tensor<128x768xf32>, tensor<768x768xf32>) outs(%59 : tensor<128x768xf32>) -> tensor<128x768xf32>
    %expanded_26 = tensor.expand_shape %60 [[0, 1], [2]] output_shape [1, 128, 768] : tensor<128x768xf32> into tensor<1x128x768xf32>
    %61 = tensor.empty() : tensor<1x128x768xf32>
    %62 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_26, %5 : tensor<1x128x768xf32>, tensor<1x128x768xf32>) outs(%61 : tensor<1x128x768xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %201 = arith.addf %in, %in_79 : f32
      linalg.yield %201 : f32
    } -> tensor<1x128x768xf32>
    %cst_27 = arith.constant 0.000000e+00 : f32
    %63 = tensor.empty() : tensor<1x128xf32>
    %64 = linalg.fill ins(%cst_27 : f32) outs(%63 : tensor<1x128xf32>) -> tensor<1x128xf32>
    %65 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%62 : tensor<1x128x768xf32>) outs(%64 : tensor<1x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %201 = arith.addf %in, %out : f32
      linalg.yield %201 : f32
    } -> tensor<1x128xf32>
    %66 = tensor.empty() : tensor<1x128xf32>
    %67 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%65 : tensor<1x128xf32>) outs(%66 : tensor<1x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_79 = arith.constant 7.680000e+02 : f32
      %201 = arith.divf %in, %cst_79 : f32
      linalg.yield %201 : f32
    } -> tensor<1x128xf32>
    %cst_28 = arith.constant 0.000000e+00 : f32
    %68 = tensor.empty() : tensor<1x128xf32>
    %69 = linalg.fill ins(%cst_28 : f32) outs(%68 : tensor<1x128xf32>) -> tensor<1x128xf32>
    %70 = linalg.generic {indexing_maps = [#map1, #map, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%62, %67 : tensor<1x128x768xf32>, tensor<1x128xf32>) outs(%69 : tensor<1x128xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %201 = arith.subf %in, %in_79 : f32
      %202 = arith.mulf %201, %201 : f32
      %203 = arith.addf %202, %out : f32
      linalg.yield %203 : f32
    } -> tensor<1x128xf32>
    %71 = tensor.empty() : tensor<1x128xf32>
    %72 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%70 : tensor<1x128xf32>) outs(%71 : tensor<1x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_79 = arith.constant 7.680000e+02 : f32
      %201 = arith.divf %in, %cst_79 : f32
      %cst_80 = arith.constant 9.99999974E-6 : f32
      %202 = arith.addf %201, %cst_80 : f32
      %203 = math.rsqrt %202 : f32
      linalg.yield %203 : f32
    } -> tensor<1x128xf32>
    %73 = tensor.empty() : tensor<1x128x768xf32>
    %74 = linalg.generic {indexing_maps = [#map1, #map, #map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%62, %67, %72 : tensor<1x128x768xf32>, tensor<1x128xf32>, tensor<1x128xf32>) outs(%73 : tensor<1x128x768xf32>) {
    ^bb0(%in: f32, %in_79: f32, %in_80: f32, %out: f32):
      %cst_81 = arith.constant 1.000000e+00 : f32
      %cst_82 = arith.constant 0.000000e+00 : f32
      %201 = arith.subf %in, %in_79 : f32
      %202 = arith.mulf %201, %in_80 : f32
      %203 = arith.mulf %202, %cst_81 : f32
      %204 = arith.addf %203, %cst_82 : f32
      linalg.yield %204 : f32
    } -> tensor<1x128x768xf32>
    %collapsed_29 = tensor.collapse_shape %74 [[0, 1], [2]] : tensor<1x128x768xf32> into tensor<128x768xf32>
    %cst_30 = arith.constant 0.000000e+00 : f32
    %75 = tensor.empty() : tensor<128x3072xf32>
    %76 = linalg.fill ins(%cst_30 : f32) outs(%75 : tensor<128x3072xf32>) -> tensor<128x3072xf32>
    %77 = linalg.matmul ins(%collapsed_29, %arg4 : tensor<128x768xf32>, tensor<768x3072xf32>) outs(%76 : tensor<128x3072xf32>) -> tensor<128x3072xf32>
    %expanded_31 = tensor.expand_shape %77 [[0, 1], [2]] output_shape [1, 128, 3072] : tensor<128x3072xf32> into tensor<1x128x3072xf32>
    %78 = tensor.empty() : tensor<1x128x3072xf32>
    %79 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_31 : tensor<1x128x3072xf32>) outs(%78 : tensor<1x128x3072xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_79 = arith.constant 5.000000e-01 : f32
      %201 = arith.mulf %in, %cst_79 : f32
      linalg.yield %201 : f32
    } -> tensor<1x128x3072xf32>
    %80 = tensor.empty() : tensor<1x128x3072xf32>
    %81 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_31 : tensor<1x128x3072xf32>) outs(%80 : tensor<1x128x3072xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_79 = arith.constant 3.000000e+00 : f32
      %201 = arith.mulf %in, %in : f32
      %202 = arith.mulf %201, %in : f32
      linalg.yield %202 : f32
    } -> tensor<1x128x3072xf32>
    %82 = tensor.empty() : tensor<1x128x3072xf32>
    %83 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%81 : tensor<1x128x3072xf32>) outs(%82 : tensor<1x128x3072xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_79 = arith.constant 4.471500e-02 : f32
      %201 = arith.mulf %in, %cst_79 : f32
      linalg.yield %201 : f32
    } -> tensor<1x128x3072xf32>
    %84 = tensor.empty() : tensor<1x128x3072xf32>
    %85 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_31, %83 : tensor<1x128x3072xf32>, tensor<1x128x3072xf32>) outs(%84 : tensor<1x128x3072xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %201 = arith.addf %in, %in_79 : f32
      linalg.yield %201 : f32
    } -> tensor<1x128x3072xf32>
    %86 = tensor.empty() : tensor<1x128x3072xf32>
    %87 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%85 : tensor<1x128x3072xf32>) outs(%86 : tensor<1x128x3072xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_79 = arith.constant 0.797884583 : f32
      %201 = arith.mulf %in, %cst_79 : f32
      linalg.yield %201 : f32
    } -> tensor<1x128x3072xf32>
    %88 = tensor.empty() : tensor<1x128x3072xf32>
    %89 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%87 : tensor<1x128x3072xf32>) outs(%88 : tensor<1x128x3072xf32>) {
    ^bb0(%in: f32, %out: f32):
      %201 = math.tanh %in : f32
      linalg.yield %201 : f32
    } -> tensor<1x128x3072xf32>
    %90 = tensor.empty() : tensor<1x128x3072xf32>
    %91 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%89 : tensor<1x128x3072xf32>) outs(%90 : tensor<1x128x3072xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_79 = arith.constant 1.000000e+00 : f32
      %201 = arith.addf %in, %cst_79 : f32
      linalg.yield %201 : f32
    } -> tensor<1x128x3072xf32>
    %92 = tensor.empty() : tensor<1x128x3072xf32>
    %93 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%79, %91 : tensor<1x128x3072xf32>, tensor<1x128x3072xf32>) outs(%92 : tensor<1x128x3072xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %201 = arith.mulf %in, %in_79 : f32
      linalg.yield %201 : f32
    } -> tensor<1x128x3072xf32>
    %collapsed_32 = tensor.collapse_shape %93 [[0, 1], [2]] : tensor<1x128x3072xf32> into tensor<128x3072xf32>
    %cst_33 = arith.constant 0.000000e+00 : f32
    %94 = tensor.empty() : tensor<128x768xf32>
    %95 = linalg.fill ins(%cst_33 : f32) outs(%94 : tensor<128x768xf32>) -> tensor<128x768xf32>
    %96 = linalg.matmul ins(%collapsed_32, %arg5 : tensor<128x3072xf32>, tensor<3072x768xf32>) outs(%95 : tensor<128x768xf32>) -> tensor<128x768xf32>
    %expanded_34 = tensor.expand_shape %96 [[0, 1], [2]] output_shape [1, 128, 768] : tensor<128x768xf32> into tensor<1x128x768xf32>
    %97 = tensor.empty() : tensor<1x128x768xf32>
    %98 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%62, %expanded_34 : tensor<1x128x768xf32>, tensor<1x128x768xf32>) outs(%97 : tensor<1x128x768xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %201 = arith.addf %in, %in_79 : f32
      linalg.yield %201 : f32
    } -> tensor<1x128x768xf32>
    %cst_35 = arith.constant 0.000000e+00 : f32
    %99 = tensor.empty() : tensor<1x128xf32>
    %100 = linalg.fill ins(%cst_35 : f32) outs(%99 : tensor<1x128xf32>) -> tensor<1x128xf32>
    %101 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%98 : tensor<1x128x768xf32>) outs(%100 : tensor<1x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %201 = arith.addf %in, %out : f32
      linalg.yield %201 : f32
    } -> tensor<1x128xf32>
    %102 = tensor.empty() : tensor<1x128xf32>
    %103 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%101 : tensor<1x128xf32>) outs(%102 : tensor<1x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_79 = arith.constant 7.680000e+02 : f32
      %201 = arith.divf %in, %cst_79 : f32
      linalg.yield %201 : f32
    } -> tensor<1x128xf32>
    %cst_36 = arith.constant 0.000000e+00 : f32
    %104 = tensor.empty() : tensor<1x128xf32>
    %105 = linalg.fill ins(%cst_36 : f32) outs(%104 : tensor<1x128xf32>) -> tensor<1x128xf32>
    %106 = linalg.generic {indexing_maps = [#map1, #map, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%98, %103 : tensor<1x128x768xf32>, tensor<1x128xf32>) outs(%105 : tensor<1x128xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %201 = arith.subf %in, %in_79 : f32
      %202 = arith.mulf %201, %201 : f32
      %203 = arith.addf %202, %out : f32
      linalg.yield %203 : f32
    } -> tensor<1x128xf32>
    %107 = tensor.empty() : tensor<1x128xf32>
    %108 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%106 : tensor<1x128xf32>) outs(%107 : tensor<1x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_79 = arith.constant 7.680000e+02 : f32
      %201 = arith.divf %in, %cst_79 : f32
      %cst_80 = arith.constant 9.99999974E-6 : f32
      %202 = arith.addf %201, %cst_80 : f32
      %203 = math.rsqrt %202 : f32
      linalg.yield %203 : f32
    } -> tensor<1x128xf32>
    %109 = tensor.empty() : tensor<1x128x768xf32>
    %110 = linalg.generic {indexing_maps = [#map1, #map, #map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%98, %103, %108 : tensor<1x128x768xf32>, tensor<1x128xf32>, tensor<1x128xf32>) outs(%109 : tensor<1x128x768xf32>) {
    ^bb0(%in: f32, %in_79: f32, %in_80: f32, %out: f32):
      %cst_81 = arith.constant 1.000000e+00 : f32
      %cst_82 = arith.constant 0.000000e+00 : f32
      %201 = arith.subf %in, %in_79 : f32
      %202 = arith.mulf %201, %in_80 : f32
      %203 = arith.mulf %202, %cst_81 : f32
      %204 = arith.addf %203, %cst_82 : f32
      linalg.yield %204 : f32
    } -> tensor<1x128x768xf32>
    %collapsed_37 = tensor.collapse_shape %110 [[0, 1], [2]] : tensor<1x128x768xf32> into tensor<128x768xf32>
    %cst_38 = arith.constant 0.000000e+00 : f32
    %111 = tensor.empty() : tensor<128x2304xf32>
    %112 = linalg.fill ins(%cst_38 : f32) outs(%111 : tensor<128x2304xf32>) -> tensor<128x2304xf32>
    %113 = linalg.matmul ins(%collapsed_37, %arg6 : tensor<128x768xf32>, tensor<768x2304xf32>) outs(%112 : tensor<128x2304xf32>) -> tensor<128x2304xf32>
    %expanded_39 = tensor.expand_shape %113 [[0, 1], [2]] output_shape [1, 128, 2304] : tensor<128x2304xf32> into tensor<1x128x2304xf32>
    %extracted_slice_40 = tensor.extract_slice %expanded_39[0, 0, 0] [1, 128, 768] [1, 1, 1] : tensor<1x128x2304xf32> to tensor<1x128x768xf32>
    %extracted_slice_41 = tensor.extract_slice %expanded_39[0, 0, 768] [1, 128, 768] [1, 1, 1] : tensor<1x128x2304xf32> to tensor<1x128x768xf32>
    %extracted_slice_42 = tensor.extract_slice %expanded_39[0, 0, 1536] [1, 128, 768] [1, 1, 1] : tensor<1x128x2304xf32> to tensor<1x128x768xf32>
    %expanded_43 = tensor.expand_shape %extracted_slice_41 [[0], [1], [2, 3]] output_shape [1, 128, 12, 64] : tensor<1x128x768xf32> into tensor<1x128x12x64xf32>
    %114 = tensor.empty() : tensor<1x12x128x64xf32>
    %transposed_44 = linalg.transpose ins(%expanded_43 : tensor<1x128x12x64xf32>) outs(%114 : tensor<1x12x128x64xf32>) permutation = [0, 2, 1, 3] 
    %expanded_45 = tensor.expand_shape %extracted_slice_42 [[0], [1], [2, 3]] output_shape [1, 128, 12, 64] : tensor<1x128x768xf32> into tensor<1x128x12x64xf32>
    %115 = tensor.empty() : tensor<1x12x128x64xf32>
    %transposed_46 = linalg.transpose ins(%expanded_45 : tensor<1x128x12x64xf32>) outs(%115 : tensor<1x12x128x64xf32>) permutation = [0, 2, 1, 3] 
    %expanded_47 = tensor.expand_shape %extracted_slice_40 [[0], [1], [2, 3]] output_shape [1, 128, 12, 64] : tensor<1x128x768xf32> into tensor<1x128x12x64xf32>
    %116 = tensor.empty() : tensor<1x12x128x64xf32>
    %transposed_48 = linalg.transpose ins(%expanded_47 : tensor<1x128x12x64xf32>) outs(%116 : tensor<1x12x128x64xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_49 = tensor.collapse_shape %transposed_44 [[0, 1], [2], [3]] : tensor<1x12x128x64xf32> into tensor<12x128x64xf32>
    %117 = tensor.empty() : tensor<12x64x128xf32>
    %transposed_50 = linalg.transpose ins(%collapsed_49 : tensor<12x128x64xf32>) outs(%117 : tensor<12x64x128xf32>) permutation = [0, 2, 1] 
    %expanded_51 = tensor.expand_shape %transposed_50 [[0, 1], [2], [3]] output_shape [1, 12, 64, 128] : tensor<12x64x128xf32> into tensor<1x12x64x128xf32>
    %118 = tensor.empty() : tensor<1x12x128x64xf32>
    %119 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_48 : tensor<1x12x128x64xf32>) outs(%118 : tensor<1x12x128x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_79 = arith.constant 0.353553385 : f32
      %201 = arith.mulf %in, %cst_79 : f32
      linalg.yield %201 : f32
    } -> tensor<1x12x128x64xf32>
    %120 = tensor.empty() : tensor<1x12x64x128xf32>
    %121 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_51 : tensor<1x12x64x128xf32>) outs(%120 : tensor<1x12x64x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_79 = arith.constant 0.353553385 : f32
      %201 = arith.mulf %in, %cst_79 : f32
      linalg.yield %201 : f32
    } -> tensor<1x12x64x128xf32>
    %collapsed_52 = tensor.collapse_shape %119 [[0, 1], [2], [3]] : tensor<1x12x128x64xf32> into tensor<12x128x64xf32>
    %collapsed_53 = tensor.collapse_shape %121 [[0, 1], [2], [3]] : tensor<1x12x64x128xf32> into tensor<12x64x128xf32>
    %cst_54 = arith.constant 0.000000e+00 : f32
    %122 = tensor.empty() : tensor<12x128x128xf32>
    %123 = linalg.fill ins(%cst_54 : f32) outs(%122 : tensor<12x128x128xf32>) -> tensor<12x128x128xf32>
    %124 = linalg.batch_matmul ins(%collapsed_52, %collapsed_53 : tensor<12x128x64xf32>, tensor<12x64x128xf32>) outs(%123 : tensor<12x128x128xf32>) -> tensor<12x128x128xf32>
    %expanded_55 = tensor.expand_shape %124 [[0, 1], [2], [3]] output_shape [1, 12, 128, 128] : tensor<12x128x128xf32> into tensor<1x12x128x128xf32>
    %125 = tensor.empty() : tensor<1x12x128x128xf32>
    %126 = linalg.generic {indexing_maps = [#map2, #map4, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_55, %34 : tensor<1x12x128x128xf32>, tensor<1x1x128x128xf32>) outs(%125 : tensor<1x12x128x128xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %201 = arith.addf %in, %in_79 : f32
      linalg.yield %201 : f32
    } -> tensor<1x12x128x128xf32>
    %cst_56 = arith.constant 0xFF800000 : f32
    %127 = tensor.empty() : tensor<1x12x128xf32>
    %128 = linalg.fill ins(%cst_56 : f32) outs(%127 : tensor<1x12x128xf32>) -> tensor<1x12x128xf32>
    %129 = linalg.generic {indexing_maps = [#map2, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%126 : tensor<1x12x128x128xf32>) outs(%128 : tensor<1x12x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %201 = arith.maximumf %in, %out : f32
      linalg.yield %201 : f32
    } -> tensor<1x12x128xf32>
    %130 = tensor.empty() : tensor<1x12x128x128xf32>
    %131 = linalg.generic {indexing_maps = [#map2, #map5, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%126, %129 : tensor<1x12x128x128xf32>, tensor<1x12x128xf32>) outs(%130 : tensor<1x12x128x128xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %201 = arith.subf %in, %in_79 : f32
      %202 = math.exp %201 : f32
      linalg.yield %202 : f32
    } -> tensor<1x12x128x128xf32>
    %cst_57 = arith.constant 0.000000e+00 : f32
    %132 = tensor.empty() : tensor<1x12x128xf32>
    %133 = linalg.fill ins(%cst_57 : f32) outs(%132 : tensor<1x12x128xf32>) -> tensor<1x12x128xf32>
    %134 = linalg.generic {indexing_maps = [#map2, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%131 : tensor<1x12x128x128xf32>) outs(%133 : tensor<1x12x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %201 = arith.addf %in, %out : f32
      linalg.yield %201 : f32
    } -> tensor<1x12x128xf32>
    %135 = tensor.empty() : tensor<1x12x128x128xf32>
    %136 = linalg.generic {indexing_maps = [#map2, #map5, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%131, %134 : tensor<1x12x128x128xf32>, tensor<1x12x128xf32>) outs(%135 : tensor<1x12x128x128xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %201 = arith.divf %in, %in_79 : f32
      linalg.yield %201 : f32
    } -> tensor<1x12x128x128xf32>
    %137 = tensor.empty() : tensor<1x12x128x128xi1>
    %138 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%136 : tensor<1x12x128x128xf32>) outs(%137 : tensor<1x12x128x128xi1>) {
    ^bb0(%in: f32, %out: i1):
      %201 = arith.cmpf uno, %in, %in : f32
      linalg.yield %201 : i1
    } -> tensor<1x12x128x128xi1>
    %139 = tensor.empty() : tensor<1x12x128x128xf32>
    %140 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%138, %136 : tensor<1x12x128x128xi1>, tensor<1x12x128x128xf32>) outs(%139 : tensor<1x12x128x128xf32>) {
    ^bb0(%in: i1, %in_79: f32, %out: f32):
      %cst_80 = arith.constant 0.000000e+00 : f32
      %201 = arith.select %in, %cst_80, %in_79 : f32
      linalg.yield %201 : f32
    } -> tensor<1x12x128x128xf32>
    %collapsed_58 = tensor.collapse_shape %140 [[0, 1], [2], [3]] : tensor<1x12x128x128xf32> into tensor<12x128x128xf32>
    %collapsed_59 = tensor.collapse_shape %transposed_46 [[0, 1], [2], [3]] : tensor<1x12x128x64xf32> into tensor<12x128x64xf32>
    %cst_60 = arith.constant 0.000000e+00 : f32
    %141 = tensor.empty() : tensor<12x128x64xf32>
    %142 = linalg.fill ins(%cst_60 : f32) outs(%141 : tensor<12x128x64xf32>) -> tensor<12x128x64xf32>
    %143 = linalg.batch_matmul ins(%collapsed_58, %collapsed_59 : tensor<12x128x128xf32>, tensor<12x128x64xf32>) outs(%142 : tensor<12x128x64xf32>) -> tensor<12x128x64xf32>
    %expanded_61 = tensor.expand_shape %143 [[0, 1], [2], [3]] output_shape [1, 12, 128, 64] : tensor<12x128x64xf32> into tensor<1x12x128x64xf32>
    %144 = tensor.empty() : tensor<1x128x12x64xf32>
    %transposed_62 = linalg.transpose ins(%expanded_61 : tensor<1x12x128x64xf32>) outs(%144 : tensor<1x128x12x64xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_63 = tensor.collapse_shape %transposed_62 [[0, 1], [2, 3]] : tensor<1x128x12x64xf32> into tensor<128x768xf32>
    %cst_64 = arith.constant 0.000000e+00 : f32
    %145 = tensor.empty() : tensor<128x768xf32>
    %146 = linalg.fill ins(%cst_64 : f32) outs(%145 : tensor<128x768xf32>) -> tensor<128x768xf32>
    %147 = linalg.matmul ins(%collapsed_63, %arg7 : tensor<128x768xf32>, tensor<768x768xf32>) outs(%146 : tensor<128x768xf32>) -> tensor<128x768xf32>
    %expanded_65 = tensor.expand_shape %147 [[0, 1], [2]] output_shape [1, 128, 768] : tensor<128x768xf32> into tensor<1x128x768xf32>
    %148 = tensor.empty() : tensor<1x128x768xf32>
    %149 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_65, %98 : tensor<1x128x768xf32>, tensor<1x128x768xf32>) outs(%148 : tensor<1x128x768xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %201 = arith.addf %in, %in_79 : f32
      linalg.yield %201 : f32
    } -> tensor<1x128x768xf32>
    %cst_66 = arith.constant 0.000000e+00 : f32
    %150 = tensor.empty() : tensor<1x128xf32>
    %151 = linalg.fill ins(%cst_66 : f32) outs(%150 : tensor<1x128xf32>) -> tensor<1x128xf32>
    %152 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%149 : tensor<1x128x768xf32>) outs(%151 : tensor<1x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %201 = arith.addf %in, %out : f32
      linalg.yield %201 : f32
    } -> tensor<1x128xf32>
    %153 = tensor.empty() : tensor<1x128xf32>
    %154 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%152 : tensor<1x128xf32>) outs(%153 : tensor<1x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_79 = arith.constant 7.680000e+02 : f32
      %201 = arith.divf %in, %cst_79 : f32
      linalg.yield %201 : f32
    } -> tensor<1x128xf32>
    %cst_67 = arith.constant 0.000000e+00 : f32
    %155 = tensor.empty() : tensor<1x128xf32>
    %156 = linalg.fill ins(%cst_67 : f32) outs(%155 : tensor<1x128xf32>) -> tensor<1x128xf32>
    %157 = linalg.generic {indexing_maps = [#map1, #map, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%149, %154 : tensor<1x128x768xf32>, tensor<1x128xf32>) outs(%156 : tensor<1x128xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %201 = arith.subf %in, %in_79 : f32
      %202 = arith.mulf %201, %201 : f32
      %203 = arith.addf %202, %out : f32
      linalg.yield %203 : f32
    } -> tensor<1x128xf32>
    %158 = tensor.empty() : tensor<1x128xf32>
    %159 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%157 : tensor<1x128xf32>) outs(%158 : tensor<1x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_79 = arith.constant 7.680000e+02 : f32
      %201 = arith.divf %in, %cst_79 : f32
      %cst_80 = arith.constant 9.99999974E-6 : f32
      %202 = arith.addf %201, %cst_80 : f32
      %203 = math.rsqrt %202 : f32
      linalg.yield %203 : f32
    } -> tensor<1x128xf32>
    %160 = tensor.empty() : tensor<1x128x768xf32>
    %161 = linalg.generic {indexing_maps = [#map1, #map, #map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%149, %154, %159 : tensor<1x128x768xf32>, tensor<1x128xf32>, tensor<1x128xf32>) outs(%160 : tensor<1x128x768xf32>) {
    ^bb0(%in: f32, %in_79: f32, %in_80: f32, %out: f32):
      %cst_81 = arith.constant 1.000000e+00 : f32
      %cst_82 = arith.constant 0.000000e+00 : f32
      %201 = arith.subf %in, %in_79 : f32
      %202 = arith.mulf %201, %in_80 : f32
      %203 = arith.mulf %202, %cst_81 : f32
      %204 = arith.addf %203, %cst_82 : f32
      linalg.yield %204 : f32
    } -> tensor<1x128x768xf32>
    %collapsed_68 = tensor.collapse_shape %161 [[0, 1], [2]] : tensor<1x128x768xf32> into tensor<128x768xf32>
    %cst_69 = arith.constant 0.000000e+00 : f32
    %162 = tensor.empty() : tensor<128x3072xf32>
    %163 = linalg.fill ins(%cst_69 : f32) outs(%162 : tensor<128x3072xf32>) -> tensor<128x3072xf32>
    %164 = linalg.matmul ins(%collapsed_68, %arg8 : tensor<128x768xf32>, tensor<768x3072xf32>) outs(%163 : tensor<128x3072xf32>) -> tensor<128x3072xf32>
    %expanded_70 = tensor.expand_shape %164 [[0, 1], [2]] output_shape [1, 128, 3072] : tensor<128x3072xf32> into tensor<1x128x3072xf32>
    %165 = tensor.empty() : tensor<1x128x3072xf32>
    %166 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_70 : tensor<1x128x3072xf32>) outs(%165 : tensor<1x128x3072xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_79 = arith.constant 5.000000e-01 : f32
      %201 = arith.mulf %in, %cst_79 : f32
      linalg.yield %201 : f32
    } -> tensor<1x128x3072xf32>
    %167 = tensor.empty() : tensor<1x128x3072xf32>
    %168 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_70 : tensor<1x128x3072xf32>) outs(%167 : tensor<1x128x3072xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_79 = arith.constant 3.000000e+00 : f32
      %201 = arith.mulf %in, %in : f32
      %202 = arith.mulf %201, %in : f32
      linalg.yield %202 : f32
    } -> tensor<1x128x3072xf32>
    %169 = tensor.empty() : tensor<1x128x3072xf32>
    %170 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%168 : tensor<1x128x3072xf32>) outs(%169 : tensor<1x128x3072xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_79 = arith.constant 4.471500e-02 : f32
      %201 = arith.mulf %in, %cst_79 : f32
      linalg.yield %201 : f32
    } -> tensor<1x128x3072xf32>
    %171 = tensor.empty() : tensor<1x128x3072xf32>
    %172 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_70, %170 : tensor<1x128x3072xf32>, tensor<1x128x3072xf32>) outs(%171 : tensor<1x128x3072xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %201 = arith.addf %in, %in_79 : f32
      linalg.yield %201 : f32
    } -> tensor<1x128x3072xf32>
    %173 = tensor.empty() : tensor<1x128x3072xf32>
    %174 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%172 : tensor<1x128x3072xf32>) outs(%173 : tensor<1x128x3072xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_79 = arith.constant 0.797884583 : f32
      %201 = arith.mulf %in, %cst_79 : f32
      linalg.yield %201 : f32
    } -> tensor<1x128x3072xf32>
    %175 = tensor.empty() : tensor<1x128x3072xf32>
    %176 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%174 : tensor<1x128x3072xf32>) outs(%175 : tensor<1x128x3072xf32>) {
    ^bb0(%in: f32, %out: f32):
      %201 = math.tanh %in : f32
      linalg.yield %201 : f32
    } -> tensor<1x128x3072xf32>
    %177 = tensor.empty() : tensor<1x128x3072xf32>
    %178 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%176 : tensor<1x128x3072xf32>) outs(%177 : tensor<1x128x3072xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_79 = arith.constant 1.000000e+00 : f32
      %201 = arith.addf %in, %cst_79 : f32
      linalg.yield %201 : f32
    } -> tensor<1x128x3072xf32>
    %179 = tensor.empty() : tensor<1x128x3072xf32>
    %180 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%166, %178 : tensor<1x128x3072xf32>, tensor<1x128x3072xf32>) outs(%179 : tensor<1x128x3072xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %201 = arith.mulf %in, %in_79 : f32
      linalg.yield %201 : f32
    } -> tensor<1x128x3072xf32>
    %collapsed_71 = tensor.collapse_shape %180 [[0, 1], [2]] : tensor<1x128x3072xf32> into tensor<128x3072xf32>
    %cst_72 = arith.constant 0.000000e+00 : f32
    %181 = tensor.empty() : tensor<128x768xf32>
    %182 = linalg.fill ins(%cst_72 : f32) outs(%181 : tensor<128x768xf32>) -> tensor<128x768xf32>
    %183 = linalg.matmul ins(%collapsed_71, %arg9 : tensor<128x3072xf32>, tensor<3072x768xf32>) outs(%182 : tensor<128x768xf32>) -> tensor<128x768xf32>
    %expanded_73 = tensor.expand_shape %183 [[0, 1], [2]] output_shape [1, 128, 768] : tensor<128x768xf32> into tensor<1x128x768xf32>
    %184 = tensor.empty() : tensor<1x128x768xf32>
    %185 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%149, %expanded_73 : tensor<1x128x768xf32>, tensor<1x128x768xf32>) outs(%184 : tensor<1x128x768xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %201 = arith.addf %in, %in_79 : f32
      linalg.yield %201 : f32
    } -> tensor<1x128x768xf32>
    %cst_74 = arith.constant 0.000000e+00 : f32
    %186 = tensor.empty() : tensor<1x128xf32>
    %187 = linalg.fill ins(%cst_74 : f32) outs(%186 : tensor<1x128xf32>) -> tensor<1x128xf32>
    %188 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%185 : tensor<1x128x768xf32>) outs(%187 : tensor<1x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %201 = arith.addf %in, %out : f32
      linalg.yield %201 : f32
    } -> tensor<1x128xf32>
    %189 = tensor.empty() : tensor<1x128xf32>
    %190 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%188 : tensor<1x128xf32>) outs(%189 : tensor<1x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_79 = arith.constant 7.680000e+02 : f32
      %201 = arith.divf %in, %cst_79 : f32
      linalg.yield %201 : f32
    } -> tensor<1x128xf32>
    %cst_75 = arith.constant 0.000000e+00 : f32
    %191 = tensor.empty() : tensor<1x128xf32>
    %192 = linalg.fill ins(%cst_75 : f32) outs(%191 : tensor<1x128xf32>) -> tensor<1x128xf32>
    %193 = linalg.generic {indexing_maps = [#map1, #map, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%185, %190 : tensor<1x128x768xf32>, tensor<1x128xf32>) outs(%192 : tensor<1x128xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %201 = arith.subf %in, %in_79 : f32
      %202 = arith.mulf %201, %201 : f32
      %203 = arith.addf %202, %out : f32
      linalg.yield %203 : f32
    } -> tensor<1x128xf32>
    %194 = tensor.empty() : tensor<1x128xf32>
    %195 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%193 : tensor<1x128xf32>) outs(%194 : tensor<1x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_79 = arith.constant 7.680000e+02 : f32
      %201 = arith.divf %in, %cst_79 : f32
      %cst_80 = arith.constant 9.99999974E-6 : f32
      %202 = arith.addf %201, %cst_80 : f32
      %203 = math.rsqrt %202 : f32
      linalg.yield %203 : f32
    } -> tensor<1x128xf32>
    %196 = tensor.empty() : tensor<1x128x768xf32>
    %197 = linalg.generic {indexing_maps = [#map1, #map, #map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%185, %190, %195 : tensor<1x128x768xf32>, tensor<1x128xf32>, tensor<1x128xf32>) outs(%196 : tensor<1x128x768xf32>) {
    ^bb0(%in: f32, %in_79: f32, %in_80: f32, %out: f32):
      %cst_81 = arith.constant 1.000000e+00 : f32
      %cst_82 = arith.constant 0.000000e+00 : f32
      %201 = arith.subf %in, %in_79 : f32
      %202 = arith.mulf %201, %in_80 : f32
      %203 = arith.mulf %202, %cst_81 : f32
      %204 = arith.addf %203, %cst_82 : f32
      linalg.yield %204 : f32
    } -> tensor<1x128x768xf32>
    %collapsed_76 = tensor.collapse_shape %197 [[0, 1], [2]] : tensor<1x128x768xf32> into tensor<128x768xf32>
    %cst_77 = arith.constant 0.000000e+00 : f32
    %198 = tensor.empty() : tensor<128x50257xf32>
    %199 = linalg.fill ins(%cst_77 : f32) outs(%198 : tensor<128x50257xf32>) -> tensor<128x50257xf32>
    %200 = linalg.matmul indexing_maps = [#map6, #map7, #map] ins(%collapsed_76, %arg10 : tensor<128x768xf32>, tensor<50257x768xf32>) outs(%199 : tensor<128x50257xf32>) -> tensor<128x50257xf32>
    %expanded_78 = tensor.expand_shape %200 [[0, 1], [2]] output_shape [1, 128, 50257] : tensor<128x50257xf32> into tensor<1x128x50257xf32>
    return %expanded_78 : tensor<1x128x50257xf32>
  }
}
