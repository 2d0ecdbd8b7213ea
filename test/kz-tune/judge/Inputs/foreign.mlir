// An operation that no schedule may hold.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @foreign(%t: !transform.any_op {transform.readonly}) {
    %c = arith.constant 1 : index
    transform.yield
  }
}
