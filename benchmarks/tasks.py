#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the task of a benchmark at level L0.

  tasks.py matmul 4096x4096x4096 [--batch 12] [--b nt] [--epilogue bias-gelu]
  tasks.py softmax|layer-norm|rms-norm|bias-gelu 8192x8192 [--type f32]

Matmul sizes are M x N x K. Sums are in f32 and rounded to --type (f16, bf16, f32)
where the task ends.
"""
import argparse


def generic(name, ins, out, maps, iterators, body):
    """One linalg.generic; `ins` are (value, type), `out` a (value, type)."""
    values = ", ".join(value for value, _ in ins)
    types = ", ".join(kind for _, kind in ins)
    kinds = ", ".join(f'"{kind}"' for kind in iterators)
    return (
        f"  {name} = linalg.generic {{indexing_maps = [{', '.join(maps)}], iterator_types = [{kinds}]}} "
        f"ins({values} : {types}) outs({out[0]} : {out[1]}) {{\n{body}  }} -> {out[1]}\n"
    )


class Task:
    def __init__(self, element):
        self.element = element
        self.lines = []

    def widen(self, result, value):
        """An element as f32."""
        if self.element == "f32":
            return f"    {result} = arith.addf {value}, %minus_zero : f32\n"
        return f"    {result} = arith.extf {value} : {self.element} to f32\n"

    def end(self, value):
        """Yields an f32 as an element."""
        if self.element == "f32":
            return f"    linalg.yield {value} : f32\n"
        return (
            f"    %rounded = arith.truncf {value} : f32 to {self.element}\n"
            f"    linalg.yield %rounded : {self.element}\n"
        )


CONSTANTS = """  %zero = arith.constant 0.0 : f32
  %minus_zero = arith.constant -0.0 : f32
  %minus_inf = arith.constant 0xFF800000 : f32
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %rsqrt2 = arith.constant 0.70710678118654752 : f32
  %eps = arith.constant 1.0e-5 : f32
"""

GELU = """    %g0 = arith.mulf %v, %half : f32
    %g1 = arith.mulf %v, %rsqrt2 : f32
    %g2 = math.erf %g1 : f32
    %g3 = arith.addf %g2, %one : f32
    %y = arith.mulf %g0, %g3 : f32
"""


def matmul(options, sizes):
    m, n, k = sizes
    task = Task(options.type)
    batch = f"{options.batch}x" if options.batch else ""
    b_shape = f"{n}x{k}" if options.b == "nt" else f"{k}x{n}"
    a, b = f"tensor<{batch}{m}x{k}x{task.element}>", f"tensor<{batch}{b_shape}x{task.element}>"
    c, f = f"tensor<{batch}{m}x{n}x{task.element}>", f"tensor<{batch}{m}x{n}xf32>"
    bias = f"tensor<{n}x{task.element}>"
    lead = "z, " if options.batch else ""
    rhs = f"{lead}n, k" if options.b == "nt" else f"{lead}k, n"
    maps = ", ".join(
        f"affine_map<({lead}m, n, k) -> ({result})>" for result in (f"{lead}m, k", rhs, f"{lead}m, n")
    )
    name = "batch_matmul" if options.batch else "matmul"
    args = f"%a: {a}, %b: {b}"
    if options.epilogue == "bias-gelu":
        args += f", %bias: {bias}"
    text = f"func.func @task({args}) -> {c} {{\n" + CONSTANTS
    text += f"  %e0 = tensor.empty() : {f}\n"
    text += f"  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : {f}) -> {f}\n"
    text += f"  %mm = linalg.{name} indexing_maps = [{maps}] ins(%a, %b : {a}, {b}) outs(%f0 : {f}) -> {f}\n"
    if task.element == "f32" and options.epilogue == "none":
        return text + f"  return %mm : {f}\n}}\n"
    text += f"  %e1 = tensor.empty() : {c}\n"
    dims = f"{lead}m, n"
    identity, column = f"affine_map<({dims}) -> ({dims})>", f"affine_map<({dims}) -> (n)>"
    iterators = ["parallel"] * (3 if options.batch else 2)
    if options.epilogue == "bias-gelu":
        body = f"  ^bb0(%x: f32, %c: {task.element}, %o: {task.element}):\n"
        body += task.widen("%w", "%c") + "    %v = arith.addf %x, %w : f32\n" + GELU + task.end("%y")
        text += generic("%r", [("%mm", f), ("%bias", bias)], ("%e1", c), [identity, column, identity], iterators, body)
    else:
        body = f"  ^bb0(%x: f32, %o: {task.element}):\n" + task.end("%x")
        text += generic("%r", [("%mm", f)], ("%e1", c), [identity, identity], iterators, body)
    return text + f"  return %r : {c}\n}}\n"


def rows(options, sizes):
    r, c = sizes
    task = Task(options.type)
    e = task.element
    x, f, v, w = f"tensor<{r}x{c}x{e}>", f"tensor<{r}x{c}xf32>", f"tensor<{r}xf32>", f"tensor<{c}x{e}>"
    ident, row = "affine_map<(i, j) -> (i, j)>", "affine_map<(i, j) -> (i)>"
    column, one = "affine_map<(i, j) -> (j)>", "affine_map<(i) -> (i)>"
    both, sums = ["parallel", "parallel"], ["parallel", "reduction"]
    weights = {"softmax": 0, "layer-norm": 2, "rms-norm": 1, "bias-gelu": 1}[options.kind]
    args = ", ".join([f"%x: {x}"] + [f"%w{i}: {w}" for i in range(weights)])
    text = f"func.func @task({args}) -> {x} {{\n" + CONSTANTS
    text += f"  %count = arith.constant {float(c)!r} : f32\n"
    text += f"  %er = tensor.empty() : {v}\n  %ef = tensor.empty() : {f}\n  %ex = tensor.empty() : {x}\n"
    text += f"  %f0 = linalg.fill ins(%zero : f32) outs(%er : {v}) -> {v}\n"
    first = f"  ^bb0(%p: {e}, %o: f32):\n" + task.widen("%q", "%p")
    mean = "  ^bb0(%p: f32, %o: f32):\n    %q = arith.divf %p, %count : f32\n"
    rstd = (
        mean
        + "    %s = arith.addf %q, %eps : f32\n    %t = math.rsqrt %s : f32\n    linalg.yield %t : f32\n"
    )
    if options.kind == "softmax":
        text += f"  %fm = linalg.fill ins(%minus_inf : f32) outs(%er : {v}) -> {v}\n"
        body = first + "    %s = arith.maximumf %q, %o : f32\n    linalg.yield %s : f32\n"
        text += generic("%max", [("%x", x)], ("%fm", v), [ident, row], sums, body)
        body = f"  ^bb0(%p: {e}, %m: f32, %o: f32):\n" + task.widen("%q", "%p")
        body += "    %s = arith.subf %q, %m : f32\n    %t = math.exp %s : f32\n    linalg.yield %t : f32\n"
        text += generic("%exp", [("%x", x), ("%max", v)], ("%ef", f), [ident, row, ident], both, body)
        body = "  ^bb0(%p: f32, %o: f32):\n    %s = arith.addf %p, %o : f32\n    linalg.yield %s : f32\n"
        text += generic("%sum", [("%exp", f)], ("%f0", v), [ident, row], sums, body)
        body = f"  ^bb0(%p: f32, %s: f32, %o: {e}):\n    %q = arith.divf %p, %s : f32\n" + task.end("%q")
        text += generic("%r", [("%exp", f), ("%sum", v)], ("%ex", x), [ident, row, ident], both, body)
    elif options.kind == "layer-norm":
        body = first + "    %s = arith.addf %q, %o : f32\n    linalg.yield %s : f32\n"
        text += generic("%sum", [("%x", x)], ("%f0", v), [ident, row], sums, body)
        text += generic("%mean", [("%sum", v)], ("%er", v), [one, one], both[:1], mean + "    linalg.yield %q : f32\n")
        body = f"  ^bb0(%p: {e}, %m: f32, %o: f32):\n" + task.widen("%q", "%p")
        body += "    %d = arith.subf %q, %m : f32\n    %s = arith.mulf %d, %d : f32\n"
        body += "    %t = arith.addf %s, %o : f32\n    linalg.yield %t : f32\n"
        text += generic("%var", [("%x", x), ("%mean", v)], ("%f0", v), [ident, row, row], sums, body)
        text += generic("%rstd", [("%var", v)], ("%er", v), [one, one], both[:1], rstd)
        body = f"  ^bb0(%p: {e}, %m: f32, %s: f32, %g: {e}, %b: {e}, %o: {e}):\n"
        body += task.widen("%q", "%p") + task.widen("%gw", "%g") + task.widen("%bw", "%b")
        body += "    %d = arith.subf %q, %m : f32\n    %h = arith.mulf %d, %s : f32\n"
        body += "    %k = arith.mulf %h, %gw : f32\n    %y = arith.addf %k, %bw : f32\n" + task.end("%y")
        ins = [("%x", x), ("%mean", v), ("%rstd", v), ("%w0", w), ("%w1", w)]
        text += generic("%r", ins, ("%ex", x), [ident, row, row, column, column, ident], both, body)
    elif options.kind == "rms-norm":
        body = first + "    %s = arith.mulf %q, %q : f32\n    %t = arith.addf %s, %o : f32\n    linalg.yield %t : f32\n"
        text += generic("%sum", [("%x", x)], ("%f0", v), [ident, row], sums, body)
        text += generic("%rstd", [("%sum", v)], ("%er", v), [one, one], both[:1], rstd)
        body = f"  ^bb0(%p: {e}, %s: f32, %g: {e}, %o: {e}):\n" + task.widen("%q", "%p") + task.widen("%gw", "%g")
        body += "    %h = arith.mulf %q, %s : f32\n    %y = arith.mulf %h, %gw : f32\n" + task.end("%y")
        ins = [("%x", x), ("%rstd", v), ("%w0", w)]
        text += generic("%r", ins, ("%ex", x), [ident, row, column, ident], both, body)
    else:
        body = f"  ^bb0(%p: {e}, %b: {e}, %o: {e}):\n" + task.widen("%q", "%p") + task.widen("%bw", "%b")
        body += "    %v = arith.addf %q, %bw : f32\n" + GELU + task.end("%y")
        text += generic("%r", [("%x", x), ("%w0", w)], ("%ex", x), [ident, column, ident], both, body)
    return text + f"  return %r : {x}\n}}\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=["matmul", "softmax", "layer-norm", "rms-norm", "bias-gelu"])
    parser.add_argument("sizes", help="MxNxK, or ROWSxCOLUMNS")
    parser.add_argument("--type", choices=["f16", "bf16", "f32"], default="f16")
    parser.add_argument("--batch", type=int, default=0)
    parser.add_argument("--b", choices=["nn", "nt"], default="nn", help="B is K x N, or N x K")
    parser.add_argument("--epilogue", choices=["none", "bias-gelu"], default="none")
    options = parser.parse_args()
    sizes = [int(size) for size in options.sizes.split("x")]
    wanted = 3 if options.kind == "matmul" else 2
    if len(sizes) != wanted:
        parser.error(f"{options.kind} has {wanted} sizes, {options.sizes} has {len(sizes)}")
    print(matmul(options, sizes) if options.kind == "matmul" else rows(options, sizes), end="")


if __name__ == "__main__":
    main()
