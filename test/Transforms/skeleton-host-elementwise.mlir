// The space holds the schedule that was written by hand (schedules/host), and
// the forms of functions are one choice in both pieces of script.
// RUN: kz-opt %s --kz-print-skeleton='target=host' | FileCheck %s
// RUN: kz-opt %s --kz-print-skeleton='target=host defaults' | kz-opt --kz-verify-schedule=target=host | FileCheck %s --check-prefix=PIECES
// RUN: kz-opt %s --kz-print-skeleton='target=host' --kz-bind-knobs='values=form=1,block_rows=1,interleave=4,ulp_erf_x=8 defaults' | FileCheck %s --check-prefix=ROWS
// CHECK: // form: 0, 1
// CHECK-NEXT: //   0: a piece of a row goes through all operations; 1: a whole unit of work through one after the other
// CHECK: // width: {{.*}} (where form is 0)
// CHECK: // ulp_erf_x: 2, {{.*}} (where form is 0 or 1)
// CHECK: // interleave: 4, 1, 2, 8 (where form is 1)
// PIECES: %[[X:.+]], %{{.+}} = transform.kz.tile_grid %{{.+}} tile [1, 0]
// PIECES: %[[Y:.+]], %{{.+}} = transform.kz.tile_loop %[[X]] parallel [1, {{[0-9]+}}]
// PIECES: vectorize %[[Y]] lanes({{[0-9]+}})
// PIECES: math %[[Y]] math(erf) ulp(2)
// ROWS: %[[X:.+]], %{{.+}} = transform.kz.tile_grid %{{.+}} tile [1, 0]
// ROWS-NOT: tile_loop
// ROWS: vectorize %[[X]] lanes({{[0-9]+}}) interleave(4)
// ROWS: math %[[X]] math(erf) ulp(8)
func.func @task(%x: tensor<64x1024xf32>) -> tensor<64x1024xf32> {
  %e = tensor.empty() : tensor<64x1024xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x1024xf32>) outs(%e : tensor<64x1024xf32>) {
  ^bb0(%p: f32, %o: f32):
    %q = math.erf %p : f32
    linalg.yield %q : f32
  } -> tensor<64x1024xf32>
  return %r : tensor<64x1024xf32>
}
