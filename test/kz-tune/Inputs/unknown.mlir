// A convolution: no skeleton knows its windows.
func.func @main(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x2xf32>) -> tensor<1x6x6x2xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x6x6x2xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x6x6x2xf32>) -> tensor<1x6x6x2xf32>
  %conv = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x8x8x4xf32>, tensor<3x3x4x2xf32>) outs(%init : tensor<1x6x6x2xf32>) -> tensor<1x6x6x2xf32>
  return %conv : tensor<1x6x6x2xf32>
}
