// Every choice of a row kernel reaches its code; without `stage` the row would be read twice, which is refused.
// RUN: kz-opt %s --kz-bind-knobs=defaults --transform-interpreter='entry-point=schedule debug-payload-root-tag=task' --kz-to-tile=target=sm_90a --kz-tile-to-nvvm | FileCheck %s --check-prefix=BASE
// RUN: kz-opt %s --kz-bind-knobs='values=rows=2 defaults' --transform-interpreter='entry-point=schedule debug-payload-root-tag=task' --kz-to-tile=target=sm_90a --kz-tile-to-nvvm | FileCheck %s --check-prefix=ROWS
// RUN: kz-opt %s --kz-bind-knobs='values=threads=128 defaults' --transform-interpreter='entry-point=schedule debug-payload-root-tag=task' --kz-to-tile=target=sm_90a --kz-tile-to-nvvm | FileCheck %s --check-prefix=THREADS
// RUN: kz-opt %s --kz-bind-knobs='values=vector=4 defaults' --transform-interpreter='entry-point=schedule debug-payload-root-tag=task' --kz-to-tile=target=sm_90a --kz-tile-to-nvvm | FileCheck %s --check-prefix=VECTOR
// RUN: kz-opt %s --kz-bind-knobs='values=ulp=2 defaults' --transform-interpreter='entry-point=schedule debug-payload-root-tag=task' --kz-to-tile=target=sm_90a --kz-tile-to-nvvm | FileCheck %s --check-prefix=ULP2
// RUN: kz-opt %s --kz-bind-knobs='values=ulp=1 defaults' --transform-interpreter='entry-point=schedule debug-payload-root-tag=task' --kz-to-tile=target=sm_90a --kz-tile-to-nvvm | FileCheck %s --check-prefix=ULP1
// RUN: kz-opt %s --kz-bind-knobs='values=ulp=128 defaults' --transform-interpreter='entry-point=schedule debug-payload-root-tag=task' --kz-to-tile=target=sm_90a --kz-tile-to-nvvm | FileCheck %s --check-prefix=ULP128
// RUN: kz-opt %s --kz-bind-knobs='values=combine=1 defaults' --transform-interpreter='entry-point=schedule debug-payload-root-tag=task' --kz-to-tile=target=sm_90a --kz-tile-to-nvvm | FileCheck %s --check-prefix=COMBINE
// RUN: not kz-opt %s --kz-bind-knobs='values=read=1 defaults' --transform-interpreter='entry-point=schedule debug-payload-root-tag=task' --kz-to-tile=target=sm_90a 2>&1 | FileCheck %s --check-prefix=READ
// READ: several operations of the grid read one tile; keep it by transform.kz.stage in registers
// BASE: kz.launch = {{.*}}block = array<i64: 256, 1, 1>, grid = array<i64: 4096, 1, 1>, shared = 64 : i64
// BASE-COUNT-1: llvm.load %{{.+}} : !llvm.ptr<1> -> vector<8xf16>
// BASE-NOT: llvm.load %{{.+}} : !llvm.ptr<1> -> vector<8xf16>
// ROWS: kz.launch = {{.*}}block = array<i64: 256, 1, 1>, grid = array<i64: 2048, 1, 1>, shared = 128 : i64
// THREADS: kz.launch = {{.*}}block = array<i64: 128, 1, 1>, grid = array<i64: 4096, 1, 1>, shared = 32 : i64
// VECTOR-COUNT-2: llvm.load %{{.+}} : !llvm.ptr<1> -> vector<4xf16>
// ULP2: arith.constant 88.7228394 : f32
// ULP2: llvm.nvvm.ex2.approx.ftz
// ULP1-NOT: llvm.nvvm.ex2.approx.ftz
// ULP1: arith.constant 8.900000e+01 : f32
// ULP128-NOT: arith.constant 88.7228394 : f32
// ULP128: llvm.nvvm.ex2.approx.ftz
// COMBINE: kz.launch = {{.*}}block = array<i64: 256, 1, 1>, grid = array<i64: 4096, 1, 1>, shared = 1056 : i64
func.func @task(%x: tensor<4096x2048xf16>) -> tensor<4096x2048xf16> attributes {transform.target_tag = "task"} {
  %zero = arith.constant 0.0 : f32
  %minus_zero = arith.constant -0.0 : f32
  %minus_inf = arith.constant 0xFF800000 : f32
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %rsqrt2 = arith.constant 0.70710678118654752 : f32
  %eps = arith.constant 1.0e-5 : f32
  %count = arith.constant 2048.0 : f32
  %er = tensor.empty() : tensor<4096xf32>
  %ef = tensor.empty() : tensor<4096x2048xf32>
  %ex = tensor.empty() : tensor<4096x2048xf16>
  %f0 = linalg.fill ins(%zero : f32) outs(%er : tensor<4096xf32>) -> tensor<4096xf32>
  %fm = linalg.fill ins(%minus_inf : f32) outs(%er : tensor<4096xf32>) -> tensor<4096xf32>
  %max = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4096x2048xf16>) outs(%fm : tensor<4096xf32>) {
  ^bb0(%p: f16, %o: f32):
    %q = arith.extf %p : f16 to f32
    %s = arith.maximumf %q, %o : f32
    linalg.yield %s : f32
  } -> tensor<4096xf32>
  %exp = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x, %max : tensor<4096x2048xf16>, tensor<4096xf32>) outs(%ef : tensor<4096x2048xf32>) {
  ^bb0(%p: f16, %m: f32, %o: f32):
    %q = arith.extf %p : f16 to f32
    %s = arith.subf %q, %m : f32
    %t = math.exp %s : f32
    linalg.yield %t : f32
  } -> tensor<4096x2048xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%exp : tensor<4096x2048xf32>) outs(%f0 : tensor<4096xf32>) {
  ^bb0(%p: f32, %o: f32):
    %s = arith.addf %p, %o : f32
    linalg.yield %s : f32
  } -> tensor<4096xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%exp, %sum : tensor<4096x2048xf32>, tensor<4096xf32>) outs(%ex : tensor<4096x2048xf16>) {
  ^bb0(%p: f32, %s: f32, %o: f16):
    %q = arith.divf %p, %s : f32
    %rounded = arith.truncf %q : f32 to f16
    linalg.yield %rounded : f16
  } -> tensor<4096x2048xf16>
  return %r : tensor<4096x2048xf16>
}
module attributes {transform.with_named_sequence} {
transform.named_sequence @schedule(%t: !transform.any_op {transform.readonly}) {
  %rows = transform.tune.knob<"rows"> options = [1, 2] -> !transform.any_param
  %threads = transform.tune.knob<"threads"> options = [256, 128] -> !transform.any_param
  %vector = transform.tune.knob<"vector"> options = [8, 4] -> !transform.any_param
  %ulp = transform.tune.knob<"ulp"> options = [2, 1, 128] -> !transform.any_param
  %max, %exp, %sum, %div = transform.kz.body %t
  %d, %m, %x, %s, %grid = transform.kz.tile_grid %div fuse(%max, %exp, %sum) tile [%rows, 0]
  transform.tune.alternatives<"read"> {
    %in = transform.kz.stage %d task_input(0) registers copy(plain)
  }, {
  }
  transform.kz.tile_threads %grid dim(1) threads(%threads) vector(%vector)
  transform.tune.alternatives<"combine"> {
    transform.kz.reduce %m combine [shuffle, shared]
  }, {
    transform.kz.reduce %m combine [shared]
  }
  transform.kz.reduce %s combine [shuffle, shared]
  transform.kz.math %x math(exp) ulp(%ulp)
  transform.yield
}
}
