// Two inputs, read element by element.
func.func @main(%a: tensor<1024x768xf32>, %b: tensor<1024x768xf32>) -> tensor<1024x768xf32> {
  %e = tensor.empty() : tensor<1024x768xf32>
  %r = linalg.add ins(%a, %b : tensor<1024x768xf32>, tensor<1024x768xf32>) outs(%e : tensor<1024x768xf32>) -> tensor<1024x768xf32>
  return %r : tensor<1024x768xf32>
}
