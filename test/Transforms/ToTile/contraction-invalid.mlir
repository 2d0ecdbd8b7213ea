// RUN: kz-opt %s --split-input-file --transform-interpreter --kz-to-tile --verify-diagnostics

// One schedule of a contraction, each time with one step left out or wrong.
#id = affine_map<(i, j) -> (i, j)>
module attributes {transform.with_named_sequence} {
func.func @task(%A: tensor<2x256x64xf16>, %B: tensor<2x256x64xf16>) -> tensor<2x256x256xf16> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x256x256xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
  // expected-error @below {{the contraction has no instruction; add transform.kz.mma}}
  %r = linalg.batch_matmul indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>] ins(%A, %B : tensor<2x256x64xf16>, tensor<2x256x64xf16>) outs(%f : tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
  %e2 = tensor.empty() : tensor<2x256x256xf16>
  %g = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%r : tensor<2x256x256xf32>) outs(%e2 : tensor<2x256x256xf16>) {
  ^bb0(%x: f32, %o: f16):
    %t = arith.truncf %x : f32 to f16
    linalg.yield %t : f16
  } -> tensor<2x256x256xf16>
  return %g : tensor<2x256x256xf16>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %t = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %mm, %epi      = transform.kz.body %t
  %m, %e, %grid  = transform.kz.tile_grid %mm fuse(%epi) tile [1, 128, 128] raster group_m(16) 
  %m2, %k        = transform.kz.tile_loop %m reduction [64]
  %a = transform.kz.stage %m2 operand(0) shared copy(cp_async) swizzle(128) width(16)
  %b = transform.kz.stage %m2 operand(1) shared copy(cp_async) swizzle(128) width(16)
  transform.kz.pipeline %k ring(%a, %b) stages(3)
  transform.kz.tile_warps %m2 warps [2, 2]
  transform.kz.epilogue %e on_accumulator
  transform.yield
}
}


// -----

#id = affine_map<(i, j) -> (i, j)>
module attributes {transform.with_named_sequence} {
func.func @task(%A: tensor<2x256x64xf16>, %B: tensor<2x256x64xf16>) -> tensor<2x256x256xf16> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x256x256xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
  // expected-error @below {{the contraction is not dealt to warps; add transform.kz.tile_warps}}
  %r = linalg.batch_matmul indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>] ins(%A, %B : tensor<2x256x64xf16>, tensor<2x256x64xf16>) outs(%f : tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
  %e2 = tensor.empty() : tensor<2x256x256xf16>
  %g = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%r : tensor<2x256x256xf32>) outs(%e2 : tensor<2x256x256xf16>) {
  ^bb0(%x: f32, %o: f16):
    %t = arith.truncf %x : f32 to f16
    linalg.yield %t : f16
  } -> tensor<2x256x256xf16>
  return %g : tensor<2x256x256xf16>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %t = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %mm, %epi      = transform.kz.body %t
  %m, %e, %grid  = transform.kz.tile_grid %mm fuse(%epi) tile [1, 128, 128] raster group_m(16) 
  %m2, %k        = transform.kz.tile_loop %m reduction [64]
  %a = transform.kz.stage %m2 operand(0) shared copy(cp_async) swizzle(128) width(16)
  %b = transform.kz.stage %m2 operand(1) shared copy(cp_async) swizzle(128) width(16)
  transform.kz.pipeline %k ring(%a, %b) stages(3)
  transform.kz.mma %m2 mma_sync [16, 8, 16] acc(f32)
  transform.kz.epilogue %e on_accumulator
  transform.yield
}
}


// -----

#id = affine_map<(i, j) -> (i, j)>
module attributes {transform.with_named_sequence} {
func.func @task(%A: tensor<2x256x64xf16>, %B: tensor<2x256x64xf16>) -> tensor<2x256x256xf16> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x256x256xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
  // expected-error @below {{the loop of the contraction has no ring; add transform.kz.stage and transform.kz.pipeline}}
  %r = linalg.batch_matmul indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>] ins(%A, %B : tensor<2x256x64xf16>, tensor<2x256x64xf16>) outs(%f : tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
  %e2 = tensor.empty() : tensor<2x256x256xf16>
  %g = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%r : tensor<2x256x256xf32>) outs(%e2 : tensor<2x256x256xf16>) {
  ^bb0(%x: f32, %o: f16):
    %t = arith.truncf %x : f32 to f16
    linalg.yield %t : f16
  } -> tensor<2x256x256xf16>
  return %g : tensor<2x256x256xf16>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %t = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %mm, %epi      = transform.kz.body %t
  %m, %e, %grid  = transform.kz.tile_grid %mm fuse(%epi) tile [1, 128, 128] raster group_m(16) 
  %m2, %k        = transform.kz.tile_loop %m reduction [64]
  %a = transform.kz.stage %m2 operand(0) shared copy(cp_async) swizzle(128) width(16)
  %b = transform.kz.stage %m2 operand(1) shared copy(cp_async) swizzle(128) width(16)
  transform.kz.tile_warps %m2 warps [2, 2]
  transform.kz.mma %m2 mma_sync [16, 8, 16] acc(f32)
  transform.kz.epilogue %e on_accumulator
  transform.yield
}
}


// -----

#id = affine_map<(i, j) -> (i, j)>
module attributes {transform.with_named_sequence} {
func.func @task(%A: tensor<2x256x64xf16>, %B: tensor<2x256x64xf16>) -> tensor<2x256x256xf16> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x256x256xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
  // expected-error @below {{operand 1 of the contraction is not in the ring; stage it in shared memory and name it in transform.kz.pipeline}}
  %r = linalg.batch_matmul indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>] ins(%A, %B : tensor<2x256x64xf16>, tensor<2x256x64xf16>) outs(%f : tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
  %e2 = tensor.empty() : tensor<2x256x256xf16>
  %g = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%r : tensor<2x256x256xf32>) outs(%e2 : tensor<2x256x256xf16>) {
  ^bb0(%x: f32, %o: f16):
    %t = arith.truncf %x : f32 to f16
    linalg.yield %t : f16
  } -> tensor<2x256x256xf16>
  return %g : tensor<2x256x256xf16>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %t = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %mm, %epi      = transform.kz.body %t
  %m, %e, %grid  = transform.kz.tile_grid %mm fuse(%epi) tile [1, 128, 128] raster group_m(16) 
  %m2, %k        = transform.kz.tile_loop %m reduction [64]
  %a = transform.kz.stage %m2 operand(0) shared copy(cp_async) swizzle(128) width(16)
  %b = transform.kz.stage %m2 operand(1) shared copy(cp_async) swizzle(128) width(16)
  transform.kz.pipeline %k ring(%a) stages(3)
  transform.kz.tile_warps %m2 warps [2, 2]
  transform.kz.mma %m2 mma_sync [16, 8, 16] acc(f32)
  transform.kz.epilogue %e on_accumulator
  transform.yield
}
}


// -----

#id = affine_map<(i, j) -> (i, j)>
module attributes {transform.with_named_sequence} {
func.func @task(%A: tensor<2x256x64xf16>, %B: tensor<2x256x64xf16>) -> tensor<2x256x256xf16> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x256x256xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
  // expected-error @below {{the copy has no width; add width(16), width(8) or width(4)}}
  %r = linalg.batch_matmul indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>] ins(%A, %B : tensor<2x256x64xf16>, tensor<2x256x64xf16>) outs(%f : tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
  %e2 = tensor.empty() : tensor<2x256x256xf16>
  %g = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%r : tensor<2x256x256xf32>) outs(%e2 : tensor<2x256x256xf16>) {
  ^bb0(%x: f32, %o: f16):
    %t = arith.truncf %x : f32 to f16
    linalg.yield %t : f16
  } -> tensor<2x256x256xf16>
  return %g : tensor<2x256x256xf16>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %t = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %mm, %epi      = transform.kz.body %t
  %m, %e, %grid  = transform.kz.tile_grid %mm fuse(%epi) tile [1, 128, 128] raster group_m(16) 
  %m2, %k        = transform.kz.tile_loop %m reduction [64]
  %a = transform.kz.stage %m2 operand(0) shared copy(cp_async) swizzle(128)
  %b = transform.kz.stage %m2 operand(1) shared copy(cp_async) swizzle(128) width(16)
  transform.kz.pipeline %k ring(%a, %b) stages(3)
  transform.kz.tile_warps %m2 warps [2, 2]
  transform.kz.mma %m2 mma_sync [16, 8, 16] acc(f32)
  transform.kz.epilogue %e on_accumulator
  transform.yield
}
}


// -----

#id = affine_map<(i, j) -> (i, j)>
module attributes {transform.with_named_sequence} {
func.func @task(%A: tensor<2x256x64xf16>, %B: tensor<2x256x64xf16>) -> tensor<2x256x256xf16> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x256x256xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
  // expected-error @below {{a ring without producers is filled by cp_async; add copy(cp_async)}}
  %r = linalg.batch_matmul indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>] ins(%A, %B : tensor<2x256x64xf16>, tensor<2x256x64xf16>) outs(%f : tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
  %e2 = tensor.empty() : tensor<2x256x256xf16>
  %g = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%r : tensor<2x256x256xf32>) outs(%e2 : tensor<2x256x256xf16>) {
  ^bb0(%x: f32, %o: f16):
    %t = arith.truncf %x : f32 to f16
    linalg.yield %t : f16
  } -> tensor<2x256x256xf16>
  return %g : tensor<2x256x256xf16>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %t = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %mm, %epi      = transform.kz.body %t
  %m, %e, %grid  = transform.kz.tile_grid %mm fuse(%epi) tile [1, 128, 128] raster group_m(16) 
  %m2, %k        = transform.kz.tile_loop %m reduction [64]
  %a = transform.kz.stage %m2 operand(0) shared copy(tma) swizzle(128)
  %b = transform.kz.stage %m2 operand(1) shared copy(cp_async) swizzle(128) width(16)
  transform.kz.pipeline %k ring(%a, %b) stages(3)
  transform.kz.tile_warps %m2 warps [2, 2]
  transform.kz.mma %m2 mma_sync [16, 8, 16] acc(f32)
  transform.kz.epilogue %e on_accumulator
  transform.yield
}
}


// -----

#id = affine_map<(i, j) -> (i, j)>
module attributes {transform.with_named_sequence} {
func.func @task(%A: tensor<2x256x64xf16>, %B: tensor<2x256x64xf16>) -> tensor<2x256x256xf16> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x256x256xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
  // expected-error @below {{wgmma needs producers; add transform.kz.warp_specialize}}
  %r = linalg.batch_matmul indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>] ins(%A, %B : tensor<2x256x64xf16>, tensor<2x256x64xf16>) outs(%f : tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
  %e2 = tensor.empty() : tensor<2x256x256xf16>
  %g = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%r : tensor<2x256x256xf32>) outs(%e2 : tensor<2x256x256xf16>) {
  ^bb0(%x: f32, %o: f16):
    %t = arith.truncf %x : f32 to f16
    linalg.yield %t : f16
  } -> tensor<2x256x256xf16>
  return %g : tensor<2x256x256xf16>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %t = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %mm, %epi      = transform.kz.body %t
  %m, %e, %grid  = transform.kz.tile_grid %mm fuse(%epi) tile [1, 128, 128] raster group_m(16) 
  %m2, %k        = transform.kz.tile_loop %m reduction [64]
  %a = transform.kz.stage %m2 operand(0) shared copy(cp_async) swizzle(128) width(16)
  %b = transform.kz.stage %m2 operand(1) shared copy(cp_async) swizzle(128) width(16)
  transform.kz.pipeline %k ring(%a, %b) stages(3)
  transform.kz.tile_warps %m2 warpgroups [2, 1]
  transform.kz.mma %m2 wgmma [64, 128, 16] acc(f32)
  transform.kz.epilogue %e on_accumulator
  transform.yield
}
}


// -----

#id = affine_map<(i, j) -> (i, j)>
module attributes {transform.with_named_sequence} {
func.func @task(%A: tensor<2x256x64xf16>, %B: tensor<2x256x64xf16>) -> tensor<2x256x256xf16> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x256x256xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
  // expected-error @below {{wgmma is dealt to warpgroups, not to warps}}
  %r = linalg.batch_matmul indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>] ins(%A, %B : tensor<2x256x64xf16>, tensor<2x256x64xf16>) outs(%f : tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
  %e2 = tensor.empty() : tensor<2x256x256xf16>
  %g = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%r : tensor<2x256x256xf32>) outs(%e2 : tensor<2x256x256xf16>) {
  ^bb0(%x: f32, %o: f16):
    %t = arith.truncf %x : f32 to f16
    linalg.yield %t : f16
  } -> tensor<2x256x256xf16>
  return %g : tensor<2x256x256xf16>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %t = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %mm, %epi      = transform.kz.body %t
  %m, %e, %grid  = transform.kz.tile_grid %mm fuse(%epi) tile [1, 128, 128] raster group_m(16) 
  %m2, %k        = transform.kz.tile_loop %m reduction [64]
  %a = transform.kz.stage %m2 operand(0) shared copy(cp_async) swizzle(128) width(16)
  %b = transform.kz.stage %m2 operand(1) shared copy(cp_async) swizzle(128) width(16)
  transform.kz.pipeline %k ring(%a, %b) stages(3)
  transform.kz.tile_warps %m2 warps [2, 2]
  transform.kz.mma %m2 wgmma [64, 128, 16] acc(f32)
  transform.kz.epilogue %e on_accumulator
  transform.yield
}
}


// -----

#id = affine_map<(i, j) -> (i, j)>
module attributes {transform.with_named_sequence} {
func.func @task(%A: tensor<2x256x64xf16>, %B: tensor<2x256x64xf16>) -> tensor<2x256x256xf16> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x256x256xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
  // expected-error @below {{mma_sync is dealt to warps, not to warpgroups}}
  %r = linalg.batch_matmul indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>] ins(%A, %B : tensor<2x256x64xf16>, tensor<2x256x64xf16>) outs(%f : tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
  %e2 = tensor.empty() : tensor<2x256x256xf16>
  %g = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%r : tensor<2x256x256xf32>) outs(%e2 : tensor<2x256x256xf16>) {
  ^bb0(%x: f32, %o: f16):
    %t = arith.truncf %x : f32 to f16
    linalg.yield %t : f16
  } -> tensor<2x256x256xf16>
  return %g : tensor<2x256x256xf16>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %t = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %mm, %epi      = transform.kz.body %t
  %m, %e, %grid  = transform.kz.tile_grid %mm fuse(%epi) tile [1, 128, 128] raster group_m(16) 
  %m2, %k        = transform.kz.tile_loop %m reduction [64]
  %a = transform.kz.stage %m2 operand(0) shared copy(cp_async) swizzle(128) width(16)
  %b = transform.kz.stage %m2 operand(1) shared copy(cp_async) swizzle(128) width(16)
  transform.kz.pipeline %k ring(%a, %b) stages(3)
  transform.kz.tile_warps %m2 warpgroups [2, 1]
  transform.kz.mma %m2 mma_sync [16, 8, 16] acc(f32)
  transform.kz.epilogue %e on_accumulator
  transform.yield
}
}


// -----

#id = affine_map<(i, j) -> (i, j)>
module attributes {transform.with_named_sequence} {
func.func @task(%A: tensor<2x256x64xf16>, %B: tensor<2x256x64xf16>) -> tensor<2x256x256xf16> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x256x256xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
  // expected-error @below {{the tile has 2 batches; accepted is 1}}
  %r = linalg.batch_matmul indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>] ins(%A, %B : tensor<2x256x64xf16>, tensor<2x256x64xf16>) outs(%f : tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
  %e2 = tensor.empty() : tensor<2x256x256xf16>
  %g = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%r : tensor<2x256x256xf32>) outs(%e2 : tensor<2x256x256xf16>) {
  ^bb0(%x: f32, %o: f16):
    %t = arith.truncf %x : f32 to f16
    linalg.yield %t : f16
  } -> tensor<2x256x256xf16>
  return %g : tensor<2x256x256xf16>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %t = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %mm, %epi      = transform.kz.body %t
  %m, %e, %grid  = transform.kz.tile_grid %mm fuse(%epi) tile [2, 128, 128] raster group_m(16) 
  %m2, %k        = transform.kz.tile_loop %m reduction [64]
  %a = transform.kz.stage %m2 operand(0) shared copy(cp_async) swizzle(128) width(16)
  %b = transform.kz.stage %m2 operand(1) shared copy(cp_async) swizzle(128) width(16)
  transform.kz.pipeline %k ring(%a, %b) stages(3)
  transform.kz.tile_warps %m2 warps [2, 2]
  transform.kz.mma %m2 mma_sync [16, 8, 16] acc(f32)
  transform.kz.epilogue %e on_accumulator
  transform.yield
}
}


// -----

#id = affine_map<(i, j) -> (i, j)>
module attributes {transform.with_named_sequence} {
func.func @task(%A: tensor<2x256x64xf16>, %B: tensor<2x256x64xf16>) -> tensor<2x256x256xf16> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x256x256xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
  %r = linalg.batch_matmul indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>] ins(%A, %B : tensor<2x256x64xf16>, tensor<2x256x64xf16>) outs(%f : tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
  %e2 = tensor.empty() : tensor<2x256x256xf16>
  // expected-error @below {{tile_threads does not go with tile_warps}}
  %g = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%r : tensor<2x256x256xf32>) outs(%e2 : tensor<2x256x256xf16>) {
  ^bb0(%x: f32, %o: f16):
    %t = arith.truncf %x : f32 to f16
    linalg.yield %t : f16
  } -> tensor<2x256x256xf16>
  return %g : tensor<2x256x256xf16>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %t = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %mm, %epi      = transform.kz.body %t
  %m, %e, %grid  = transform.kz.tile_grid %mm fuse(%epi) tile [1, 128, 128] raster group_m(16) 
  %m2, %k        = transform.kz.tile_loop %m reduction [64]
  %a = transform.kz.stage %m2 operand(0) shared copy(cp_async) swizzle(128) width(16)
  %b = transform.kz.stage %m2 operand(1) shared copy(cp_async) swizzle(128) width(16)
  transform.kz.pipeline %k ring(%a, %b) stages(3)
  transform.kz.tile_warps %m2 warps [2, 2]
  transform.kz.mma %m2 mma_sync [16, 8, 16] acc(f32)
  transform.kz.tile_threads %grid dim(1) threads(128) vector(8)
  transform.kz.epilogue %e on_accumulator
  transform.yield
}
}


// -----

#id = affine_map<(i, j) -> (i, j)>
module attributes {transform.with_named_sequence} {
func.func @task(%A: tensor<2x256x64xf16>, %B: tensor<2x256x64xf16>) -> tensor<2x256x256xf16> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x256x256xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
  %r = linalg.batch_matmul indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>] ins(%A, %B : tensor<2x256x64xf16>, tensor<2x256x64xf16>) outs(%f : tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
  %e2 = tensor.empty() : tensor<2x256x256xf16>
  // expected-error @below {{a result goes through shared memory by copy(tma_store) only}}
  %g = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%r : tensor<2x256x256xf32>) outs(%e2 : tensor<2x256x256xf16>) {
  ^bb0(%x: f32, %o: f16):
    %t = arith.truncf %x : f32 to f16
    linalg.yield %t : f16
  } -> tensor<2x256x256xf16>
  return %g : tensor<2x256x256xf16>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %t = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %mm, %epi      = transform.kz.body %t
  %m, %e, %grid  = transform.kz.tile_grid %mm fuse(%epi) tile [1, 128, 128] raster group_m(16) 
  %m2, %k        = transform.kz.tile_loop %m reduction [64]
  %a = transform.kz.stage %m2 operand(0) shared copy(cp_async) swizzle(128) width(16)
  %b = transform.kz.stage %m2 operand(1) shared copy(cp_async) swizzle(128) width(16)
  transform.kz.pipeline %k ring(%a, %b) stages(3)
  transform.kz.tile_warps %m2 warps [2, 2]
  transform.kz.mma %m2 mma_sync [16, 8, 16] acc(f32)
  transform.kz.epilogue %e on_accumulator
  transform.kz.stage %e result(0) shared copy(plain)
  transform.yield
}
}

// -----

// What two operations read has to say where it is kept.
#id = affine_map<(i, j) -> (i, j)>
module attributes {transform.with_named_sequence} {
func.func @task(%x: tensor<64x256xf32>) -> tensor<64x256xf32> {
  %e = tensor.empty() : tensor<64x256xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x256xf32>) outs(%e : tensor<64x256xf32>) {
  ^bb0(%p: f32, %o: f32):
    %q = arith.negf %p : f32
    linalg.yield %q : f32
  } -> tensor<64x256xf32>
  // expected-error @below {{several operations of the grid read one tile; keep it by transform.kz.stage in registers}}
  %1 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%0, %x : tensor<64x256xf32>, tensor<64x256xf32>) outs(%e : tensor<64x256xf32>) {
  ^bb0(%p: f32, %r: f32, %o: f32):
    %q = arith.addf %p, %r : f32
    linalg.yield %q : f32
  } -> tensor<64x256xf32>
  return %1 : tensor<64x256xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %t = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %a, %b = transform.kz.body %t
  %b1, %a1, %grid = transform.kz.tile_grid %b fuse(%a) tile [1, 0]
  transform.kz.tile_threads %grid dim(1) threads(64) vector(4)
  transform.yield
}
}

// -----

// The width of what is kept in registers is that of the threads' vectors.
#id = affine_map<(i, j) -> (i, j)>
module attributes {transform.with_named_sequence} {
func.func @task(%x: tensor<64x256xf32>) -> tensor<64x256xf32> {
  %e = tensor.empty() : tensor<64x256xf32>
  // expected-error @below {{a thread reads 16 bytes at a time, vector(4); width(8) says otherwise}}
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x256xf32>) outs(%e : tensor<64x256xf32>) {
  ^bb0(%p: f32, %o: f32):
    %q = arith.negf %p : f32
    linalg.yield %q : f32
  } -> tensor<64x256xf32>
  return %0 : tensor<64x256xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %t = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %a = transform.kz.body %t
  %a1, %grid = transform.kz.tile_grid %a tile [1, 0]
  %s = transform.kz.stage %a1 task_input(0) registers copy(plain) width(8)
  transform.kz.tile_threads %grid dim(1) threads(64) vector(4)
  transform.yield
}
}

// -----

#id = affine_map<(i, j) -> (i, j)>
module attributes {transform.with_named_sequence} {
func.func @task(%A: tensor<2x256x64xf16>, %B: tensor<2x256x64xf16>) -> tensor<2x256x256xf16> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x256x256xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
  %r = linalg.batch_matmul indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>] ins(%A, %B : tensor<2x256x64xf16>, tensor<2x256x64xf16>) outs(%f : tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
  %e2 = tensor.empty() : tensor<2x256x256xf16>
  // expected-error @below {{'linalg.generic' behind the contraction has no place; add transform.kz.epilogue}}
  %g = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%r : tensor<2x256x256xf32>) outs(%e2 : tensor<2x256x256xf16>) {
  ^bb0(%x: f32, %o: f16):
    %t = arith.truncf %x : f32 to f16
    linalg.yield %t : f16
  } -> tensor<2x256x256xf16>
  return %g : tensor<2x256x256xf16>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %t = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %mm, %epi      = transform.kz.body %t
  %m, %e, %grid  = transform.kz.tile_grid %mm fuse(%epi) tile [1, 128, 128] raster group_m(16) 
  %m2, %k        = transform.kz.tile_loop %m reduction [64]
  %a = transform.kz.stage %m2 operand(0) shared copy(cp_async) swizzle(128) width(16)
  %b = transform.kz.stage %m2 operand(1) shared copy(cp_async) swizzle(128) width(16)
  transform.kz.pipeline %k ring(%a, %b) stages(3)
  transform.kz.tile_warps %m2 warps [2, 2]
  transform.kz.mma %m2 mma_sync [16, 8, 16] acc(f32)
  transform.yield
}
}
