// RUN: kz-opt %s --transform-interpreter --kz-to-tile | FileCheck %s
// Eight threads cover a row of 64; the others of the block take other rows.

#id = affine_map<(i, j) -> (i, j)>
#red = affine_map<(i, j) -> (i)>
#col = affine_map<(i, j) -> (j)>
#one = affine_map<(i) -> (i)>
module attributes {transform.with_named_sequence} {
func.func @softmax(%x: tensor<1000x64xf16>) -> tensor<1000x64xf16> {
  %z = arith.constant 0.0 : f32
  %mz = arith.constant -0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %n = arith.constant 64.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %half = arith.constant 0.5 : f32
  %oneF = arith.constant 1.0 : f32
  %rs2 = arith.constant 0.70710678118654752 : f32
  %e1 = tensor.empty() : tensor<1000xf32>
  %e2 = tensor.empty() : tensor<1000x64xf32>
  %e3 = tensor.empty() : tensor<1000x64xf16>
  %f0 = linalg.fill ins(%z : f32) outs(%e1 : tensor<1000xf32>) -> tensor<1000xf32>
  %fm = linalg.fill ins(%ninf : f32) outs(%e1 : tensor<1000xf32>) -> tensor<1000xf32>
  %max = linalg.generic {indexing_maps = [#id, #red], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<1000x64xf16>) outs(%fm : tensor<1000xf32>) {
  ^bb0(%a: f16, %o: f32):
    %w = arith.extf %a : f16 to f32
    %m = arith.maximumf %w, %o : f32
    linalg.yield %m : f32
  } -> tensor<1000xf32>
  %ex = linalg.generic {indexing_maps = [#id, #red, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %max : tensor<1000x64xf16>, tensor<1000xf32>) outs(%e2 : tensor<1000x64xf32>) {
  ^bb0(%a: f16, %m: f32, %o: f32):
    %w = arith.extf %a : f16 to f32
    %d = arith.subf %w, %m : f32
    %p = math.exp %d : f32
    linalg.yield %p : f32
  } -> tensor<1000x64xf32>
  %sum = linalg.generic {indexing_maps = [#id, #red], iterator_types = ["parallel", "reduction"]} ins(%ex : tensor<1000x64xf32>) outs(%f0 : tensor<1000xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.addf %a, %o : f32
    linalg.yield %m : f32
  } -> tensor<1000xf32>
  %r = linalg.generic {indexing_maps = [#id, #red, #id], iterator_types = ["parallel", "parallel"]} ins(%ex, %sum : tensor<1000x64xf32>, tensor<1000xf32>) outs(%e3 : tensor<1000x64xf16>) {
  ^bb0(%a: f32, %s: f32, %o: f16):
    %q = arith.divf %a, %s : f32
    %t = arith.truncf %q : f32 to f16
    linalg.yield %t : f16
  } -> tensor<1000x64xf16>
  return %r : tensor<1000x64xf16>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %t = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %max, %exp, %sum, %div = transform.kz.body %t
  %d, %m, %x, %s, %grid = transform.kz.tile_grid %div fuse(%max, %exp, %sum) tile [32, 0]
  %in = transform.kz.stage %d task_input(0) registers copy(plain) width(16)
  transform.kz.tile_threads %grid dim(1) threads(256) vector(8)
  transform.kz.reduce %m combine [shuffle, shared]
  transform.kz.reduce %s combine [shuffle, shared]
  transform.kz.math %x math(exp) ulp(2)
  transform.yield
}
}

// CHECK: #kz.layout<reg [8 : (0, 1)], lane [8 : (0, 8), 4 : (1, 0)], warp [8 : (4, 0)]>
// CHECK: kz.kernel @softmax({{.*}}) grid [32, 1, 1] threads 256
// CHECK: kz.reduce max
// CHECK: kz.map {{.*}}kz.math = #kz.math<"exp", ulp = 2>
// CHECK: kz.reduce add
