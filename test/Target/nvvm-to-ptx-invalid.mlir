// RUN: kz-opt %s --kz-nvvm-to-ptx --split-input-file --verify-diagnostics

// expected-error @below {{no target: neither the option target nor the module's attribute kz.target names one}}
module {
}

// -----

// expected-error @below {{unknown target 'sm_75'; known are host, sm_80, sm_90a}}
module attributes {kz.target = "sm_75"} {
}

// -----

module attributes {kz.target = "host"} {
  // expected-error @below {{target host has no PTX; name a GPU}}
  gpu.module @m {
  }
}
