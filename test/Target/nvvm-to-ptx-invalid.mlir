// RUN: kz-opt %s --kz-nvvm-to-ptx --split-input-file --verify-diagnostics

// expected-error @below {{no target: neither the option target nor the module's attribute kz.target names one}}
module {
}

// -----

// expected-error @below {{unknown target 'sm_75'; kernels need cp.async and mma.sync of bf16, which came with sm_80; known are host, sm_80, sm_86, sm_89, sm_90a, sm_120, and the text of a #kz.target}}
module attributes {kz.target = "sm_75"} {
}

// -----

module attributes {kz.target = "host"} {
  // expected-error @below {{target host has no PTX; name a GPU}}
  gpu.module @m {
  }
}

// -----

module attributes {kz.target = "sm_80"} {
  gpu.module @m {
    llvm.func @tma(%bar: !llvm.ptr<3>, %bytes: i32) attributes {nvvm.kernel} {
      // expected-error @below {{needs TMA, which sm_80 lacks; name a target that has it}}
      nvvm.mbarrier.arrive.expect_tx %bar, %bytes : !llvm.ptr<3>, i32
      llvm.return
    }
  }
}

// -----

module attributes {kz.target = "sm_80"} {
  gpu.module @m {
    llvm.func @wgmma() attributes {nvvm.kernel} {
      // expected-error @below {{needs wgmma, which sm_80 lacks; name a target that has it}}
      nvvm.wgmma.fence.aligned
      llvm.return
    }
  }
}
