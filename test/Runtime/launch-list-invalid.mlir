// RUN: kz-opt %s --kz-print-launch-list --split-input-file --verify-diagnostics

// expected-error @below {{no kernel: no llvm.func of a gpu.module carries kz.launch}}
module {
}

// -----

gpu.module @m {
  // expected-error @below {{kernel without the attribute kz.launch}}
  llvm.func @k() attributes {nvvm.kernel} {
    llvm.return
  }
}

// -----

gpu.module @m {
  // expected-error @below {{kz.launch needs 'block' as array<i64: x, y, z>}}
  llvm.func @k() attributes {nvvm.kernel, kz.launch = {grid = array<i64: 1, 1, 1>}} {
    llvm.return
  }
}

// -----

gpu.module @m {
  // expected-error @below {{kz.launch names 0 arguments, the kernel has 1}}
  llvm.func @k(%a: !llvm.ptr<1>) attributes {nvvm.kernel, kz.launch = {grid = array<i64: 1, 1, 1>, block = array<i64: 1, 1, 1>}} {
    llvm.return
  }
}

// -----

gpu.module @m {
  // expected-error @below {{kz.launch has a buffer of i4; f16, bf16, f32, f64, i1, i8, i16, i32 and i64 are possible}}
  llvm.func @k(%a: !llvm.ptr<1>) attributes {nvvm.kernel, kz.launch = {grid = array<i64: 1, 1, 1>, block = array<i64: 1, 1, 1>,
      arguments = [{buffer = 0 : i64, type = memref<8xi4>}]}} {
    llvm.return
  }
}

// -----

gpu.module @m {
  // expected-error @below {{kz.launch has an argument that is neither a buffer nor a workspace: {}}}
  llvm.func @k(%a: !llvm.ptr<1>) attributes {nvvm.kernel, kz.launch = {grid = array<i64: 1, 1, 1>, block = array<i64: 1, 1, 1>,
      arguments = [{}]}} {
    llvm.return
  }
}

// -----

gpu.module @m {
  // expected-error @below {{kz.launch has an argument whose type is not a static row-major memref: {buffer = 0 : i64, type = memref<?xf32>}}}
  llvm.func @k(%a: !llvm.ptr<1>) attributes {nvvm.kernel, kz.launch = {grid = array<i64: 1, 1, 1>, block = array<i64: 1, 1, 1>,
      arguments = [{buffer = 0 : i64, type = memref<?xf32>}]}} {
    llvm.return
  }
}

// -----

gpu.module @m {
  // expected-error @below {{kz.launch has a box of 1 dimensions over a buffer of 2}}
  llvm.func @k(%a: !llvm.ptr<1>) attributes {nvvm.kernel, kz.launch = {grid = array<i64: 1, 1, 1>, block = array<i64: 1, 1, 1>,
      arguments = [{buffer = 0 : i64, type = memref<8x8xf32>, box = array<i64: 8>}]}} {
    llvm.return
  }
}

// -----

// expected-error @below {{kernel k: a tensor map's pitch is 1004 bytes; it must be a multiple of 16}}
module {
  gpu.module @m {
    llvm.func @k(%a: !llvm.ptr<1>) attributes {nvvm.kernel, kz.launch = {grid = array<i64: 1, 1, 1>, block = array<i64: 1, 1, 1>,
        arguments = [{buffer = 0 : i64, type = memref<64x502xf16>, box = array<i64: 8, 64>, swizzle = 128 : i64}]}} {
      llvm.return
    }
  }
}

// -----

// expected-error @below {{kernel k: a tensor map's box row is 256 bytes, its swizzle 128; the row must fit the swizzle}}
module {
  gpu.module @m {
    llvm.func @k(%a: !llvm.ptr<1>) attributes {nvvm.kernel, kz.launch = {grid = array<i64: 1, 1, 1>, block = array<i64: 1, 1, 1>,
        arguments = [{buffer = 0 : i64, type = memref<64x512xf16>, box = array<i64: 8, 128>, swizzle = 128 : i64}]}} {
      llvm.return
    }
  }
}

// -----

// expected-error @below {{kernel k: a tensor map's box has a side of 257 elements; 1 to 256 are possible}}
module {
  gpu.module @m {
    llvm.func @k(%a: !llvm.ptr<1>) attributes {nvvm.kernel, kz.launch = {grid = array<i64: 1, 1, 1>, block = array<i64: 1, 1, 1>,
        arguments = [{buffer = 0 : i64, type = memref<512x512xf16>, box = array<i64: 257, 64>, swizzle = 128 : i64}]}} {
      llvm.return
    }
  }
}

// -----

// expected-error @below {{kernel k: workspace 0 is not among the 0 workspaces}}
module {
  gpu.module @m {
    llvm.func @k(%a: !llvm.ptr<1>) attributes {nvvm.kernel, kz.launch = {grid = array<i64: 1, 1, 1>, block = array<i64: 1, 1, 1>,
        arguments = [{workspace = 0 : i64, type = memref<8xf32>}]}} {
      llvm.return
    }
  }
}

// -----

// expected-error @below {{kernel k: buffer 0 has two types}}
module {
  gpu.module @m {
    llvm.func @k(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>) attributes {nvvm.kernel, kz.launch = {grid = array<i64: 1, 1, 1>, block = array<i64: 1, 1, 1>,
        arguments = [{buffer = 0 : i64, type = memref<8xf32>}, {buffer = 0 : i64, type = memref<8xf16>}]}} {
      llvm.return
    }
  }
}

// -----

// expected-error @below {{no kernel mentions buffer 0}}
module {
  gpu.module @m {
    llvm.func @k(%a: !llvm.ptr<1>) attributes {nvvm.kernel, kz.launch = {grid = array<i64: 1, 1, 1>, block = array<i64: 1, 1, 1>,
        arguments = [{buffer = 1 : i64, type = memref<8xf32>}]}} {
      llvm.return
    }
  }
}

// -----

// expected-error @below {{kernel k: a grid of 3 blocks does not divide into clusters of 2}}
module {
  gpu.module @m {
    llvm.func @k() attributes {nvvm.kernel, kz.launch = {grid = array<i64: 3, 1, 1>, block = array<i64: 1, 1, 1>, cluster = array<i64: 2, 1, 1>}} {
      llvm.return
    }
  }
}
