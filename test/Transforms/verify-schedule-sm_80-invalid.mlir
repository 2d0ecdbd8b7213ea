// RUN: kz-opt %s --verify-diagnostics --kz-verify-schedule=target=sm_80

module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%t: !transform.any_op {transform.readonly}) {
    %mm = transform.kz.body %t
    // expected-error @below {{sm_80 has no tensor memory accelerator for copy(tma); accepted are plain, cp_async}}
    %a = transform.kz.stage %mm operand(0) shared copy(tma)
    // expected-error @below {{sm_80 has no wgmma; accepted is mma_sync}}
    transform.kz.mma %mm wgmma [64, 64, 16] acc(f32)
    // expected-error @below {{sm_80 cannot move registers between warps, which transform.kz.warp_specialize needs; accepted are targets with wgmma: sm_90a}}
    transform.kz.warp_specialize %mm producers(1) registers(40, 232)
    transform.yield
  }
}
