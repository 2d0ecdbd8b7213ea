// RUN: kz-opt %s --split-input-file --verify-diagnostics

func.func @space(%a: tensor<8x8xf32>) {
  // expected-error @below {{stages in 'texture'; accepted are registers, shared, memory}}
  %0 = kz.staged %a <texture> : tensor<8x8xf32>
  return
}

// -----

func.func @copy(%a: tensor<8x8xf32>) {
  // expected-error @below {{copies by 'dma'; accepted are plain, cp_async, tma, tma_store}}
  %0 = kz.staged %a <shared, copy = dma> : tensor<8x8xf32>
  return
}

// -----

func.func @key(%a: tensor<8x8xf32>) {
  // expected-error @below {{unknown key 'depth'; accepted are copy, swizzle, width, panels, chunk}}
  %0 = kz.staged %a <shared, depth = 4> : tensor<8x8xf32>
  return
}

// -----

func.func @swizzle(%a: tensor<8x8xf32>) {
  // expected-error @below {{'kz.staged' op swizzle 48 is not a span of bytes that the hardware has; accepted are 0, 32, 64, 128}}
  %0 = kz.staged %a <shared, swizzle = 48> : tensor<8x8xf32>
  return
}

// -----

func.func @types(%a: tensor<8x8xf32>) {
  // expected-note @above {{prior use here}}
  // expected-error @below {{use of value '%a' expects different type than prior uses: 'tensor<8x4xf32>' vs 'tensor<8x8xf32>'}}
  %0 = kz.staged %a <shared> : tensor<8x4xf32>
  return
}

// -----

// expected-error @below {{language version 2 is not known; accepted are 1 to 1}}
module attributes {kz.lang = #kz.lang<2>} {
}
