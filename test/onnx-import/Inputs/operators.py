# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One small case an operator, with what it computes in Python's own arithmetic.

operators.py model FAMILY MODE           a model of all cases as protobuf text
operators.py driver FAMILY MODE MODULE   MODULE with a @start that prints results
operators.py compare FAMILY              compares what that printed, on stdin

MODE is `inputs`, or `constants`: operands are initialisers and the import computes
what it can."""
import itertools
import math
import re
import struct
import sys

CODES = {"f32": 1, "i32": 6, "i64": 7, "i1": 9, "f16": 10, "f64": 11}
nan, inf = math.nan, math.inf


class T:
    def __init__(self, type, shape, values):
        self.type, self.shape, self.values = type, tuple(shape), list(values)
        assert len(self.values) == math.prod(self.shape), (shape, values)

    def at(self, index):
        """Reads with broadcasting from the right."""
        flat = 0
        for size, i in zip(self.shape, index[len(index) - len(self.shape) :]):
            flat = flat * size + (i if size > 1 else 0)
        return self.values[flat]


def indices(shape):
    return itertools.product(*map(range, shape))


def make(type, shape, function):
    return T(type, shape, [function(*i) for i in indices(shape)])


def ints(*values):
    return T("i64", (len(values),), values)


CASES = {}


def case(family, op, attributes, operands, *results, fixed=()):
    """`fixed` are positions of operands that are initialisers in every mode."""
    CASES.setdefault(family, []).append((op, attributes, operands, results, set(fixed)))


def number(name, value):
    kind, field = ("FLOAT", "f") if isinstance(value, float) else ("INT", "i")
    return f'attribute {{ name: "{name}" type: {kind} {field}: {value} }}'


def text(name, value):
    return f'attribute {{ name: "{name}" type: STRING s: "{value}" }}'


def listed(name, *values):
    return f'attribute {{ name: "{name}" type: INTS {" ".join(f"ints: {v}" for v in values)} }}'


# Elementwise, in f32 and in f16.
def softplus(x):
    return math.log1p(math.exp(x))


def half_even(x):
    return float(round(x))


X = [-2.5, -1.5, -1.0, -0.5, -0.0, 0.25, 0.5, 1.0, 1.5, 3.0]
UNIT = [-0.75, -0.5, 0.0, 0.25, 0.5, 0.875]
ABOVE = [0.25, 0.5, 1.0, 2.0, 3.5, 8.0]
SPECIAL = [nan, inf, -inf, 0.0, 1.0]
UNARY = [
    ("Abs", "", X, abs), ("Acos", "", UNIT, math.acos), ("Acosh", "", [1.0, 1.5, 4.0], math.acosh),
    ("Asin", "", UNIT, math.asin), ("Asinh", "", X, math.asinh), ("Atan", "", X, math.atan),
    ("Atanh", "", UNIT, math.atanh), ("Ceil", "", X, lambda x: float(math.ceil(x))),
    ("Celu", number("alpha", 2.0), X, lambda x: max(0, x) + min(0, 2 * (math.exp(x / 2) - 1))),
    ("Cos", "", X, math.cos), ("Cosh", "", X, math.cosh),
    ("Elu", number("alpha", 0.5), X, lambda x: x if x > 0 else 0.5 * (math.exp(x) - 1)),
    ("Erf", "", X, math.erf), ("Exp", "", X, math.exp), ("Floor", "", X, lambda x: float(math.floor(x))),
    ("Gelu", "", X, lambda x: 0.5 * x * (1 + math.erf(x / math.sqrt(2)))),
    ("Gelu", text("approximate", "tanh"), X,
     lambda x: 0.5 * x * (1 + math.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))),
    ("HardSigmoid", "", X, lambda x: max(0, min(1, 0.2 * x + 0.5))),
    ("HardSwish", "", X, lambda x: x * max(0, min(1, x / 6 + 0.5))),
    ("LeakyRelu", number("alpha", 0.25), X, lambda x: x if x >= 0 else 0.25 * x), ("Log", "", ABOVE, math.log),
    ("Mish", "", X, lambda x: x * math.tanh(softplus(x))), ("Neg", "", X, lambda x: -x),
    ("Reciprocal", "", ABOVE, lambda x: 1 / x), ("Relu", "", X, lambda x: max(x, 0)), ("Round", "", X, half_even),
    ("Selu", "", X, lambda x: 1.05070102214813232 * (x if x > 0 else 1.67326319217681885 * (math.exp(x) - 1))),
    ("Sigmoid", "", X + [-80.0, 80.0], lambda x: 1 / (1 + math.exp(-x))),
    ("Sign", "", X, lambda x: float((x > 0) - (x < 0))), ("Sin", "", X, math.sin), ("Sinh", "", X, math.sinh),
    ("Softplus", "", X, softplus), ("Softsign", "", X, lambda x: x / (1 + abs(x))), ("Sqrt", "", ABOVE, math.sqrt),
    ("Swish", "", X, lambda x: x / (1 + math.exp(-x))), ("Tan", "", UNIT, math.tan), ("Tanh", "", X, math.tanh),
    ("ThresholdedRelu", number("alpha", 0.5), X, lambda x: x if x > 0.5 else 0.0),
]
for family in ("f32", "f16"):
    for op, attributes, values, function in UNARY:
        case(family, op, attributes, [T(family, [len(values)], values)], T(family, [len(values)], map(function, values)))
    A, B = make(family, [2, 3], lambda i, j: i * 3 + j - 2.5), make(family, [3], lambda j: j * 1.5 + 0.5)
    COLUMN = T(family, [2, 1], [0.5, -1.0])

    def pointwise(op, function, *operands, type=family, attributes="", shape=(2, 3), fixed=()):
        case(family, op, attributes, operands,
             make(type, shape, lambda *i: function(*(x.at(i) for x in operands))), fixed=fixed)

    pointwise("Add", lambda a, b: a + b, A, B)
    pointwise("Sub", lambda a, b: a - b, B, A)
    pointwise("Mul", lambda a, b: a * b, A, COLUMN)
    pointwise("Mul", lambda a, b: a * b, B, COLUMN)
    pointwise("Div", lambda a, b: a / b, A, B)
    pointwise("Max", max, A, B, COLUMN)
    pointwise("Min", min, A, T(family, [], [0.25]))
    pointwise("Sum", lambda a, b, c: a + b + c, A, B, COLUMN)
    pointwise("Mean", lambda a, b, c: (a + b + c) / 3, A, B, COLUMN)
    pointwise("PRelu", lambda a, b: a if a >= 0 else a * b, A, B)
    pointwise("Mod", math.fmod, A, B, attributes=number("fmod", 1))
    pointwise("Pow", lambda a, b: a**b, B, T(family, [2, 1], [-1.0, 2.5]))
    for exponent in (0.5, 1.0, 2.0, 3.0, -1.5):
        pointwise("Pow", lambda a, b: a**b, B, T(family, [], [exponent]), shape=(3,), fixed=[1])
    pointwise("Pow", lambda a, b: a**b, B, ints(0, 2, 3), shape=(3,))
    pointwise("Clip", lambda a, low, high: min(max(a, low), high), A, T(family, [], [-1.0]), T(family, [], [1.0]))
    for op, function in (("Equal", lambda a, b: a == b), ("Greater", lambda a, b: a > b), ("Less", lambda a, b: a < b),
                         ("GreaterOrEqual", lambda a, b: a >= b), ("LessOrEqual", lambda a, b: a <= b)):
        pointwise(op, function, A, COLUMN, type="i1")
        pointwise(op, function, T(family, [5], SPECIAL), T(family, [], [1.0]), type="i1", shape=(5,))
    pointwise("Where", lambda c, a, b: a if c else b, T("i1", [2, 1], [1, 0]), A, B)
    S = T(family, [5], SPECIAL)
    pointwise("IsNaN", math.isnan, S, type="i1", shape=(5,))
    pointwise("IsInf", math.isinf, S, type="i1", shape=(5,))
    pointwise("IsInf", lambda x: x == inf, S, type="i1", shape=(5,), attributes=number("detect_negative", 0))
    pointwise("IsInf", lambda x: x == -inf, S, type="i1", shape=(5,), attributes=number("detect_positive", 0))
    for to, function in (("f32", float), ("f16", float), ("f64", float), ("i32", int), ("i64", int), ("i1", bool)):
        pointwise("Cast", function, A, type=to, attributes=number("to", CODES[to]))

I, J = make("i64", [2, 3], lambda i, j: i * 3 + j - 2), T("i64", [3], [2, -3, 5])
P, Q = T("i1", [2, 1], [1, 0]), T("i1", [2], [1, 0])
for op, function in (("Add", lambda a, b: a + b), ("Sub", lambda a, b: a - b), ("Mul", lambda a, b: a * b),
                     ("Div", lambda a, b: int(a / b)), ("Mod", lambda a, b: a % b), ("Max", max), ("Min", min),
                     ("BitwiseAnd", lambda a, b: a & b), ("BitwiseOr", lambda a, b: a | b), ("BitwiseXor", lambda a, b: a ^ b)):
    case("i64", op, "", [I, J], make("i64", [2, 3], lambda *i: function(I.at(i), J.at(i))))
case("i64", "Mod", number("fmod", 1), [I, J], make("i64", [2, 3], lambda *i: int(math.fmod(I.at(i), J.at(i)))))
for op, function in (("Abs", abs), ("Neg", lambda a: -a), ("Sign", lambda a: (a > 0) - (a < 0)), ("BitwiseNot", lambda a: ~a)):
    case("i64", op, "", [I], T("i64", [2, 3], map(function, I.values)))
case("i64", "Equal", "", [I, ints(-2, 0, 3)], make("i1", [2, 3], lambda *i: I.at(i) == [-2, 0, 3][i[1]]))
case("i64", "Less", "", [I, J], make("i1", [2, 3], lambda *i: I.at(i) < J.at(i)))
for op, function in (("And", lambda a, b: a & b), ("Or", lambda a, b: a | b), ("Xor", lambda a, b: a ^ b)):
    case("i64", op, "", [P, Q], make("i1", [2, 2], lambda *i: function(P.at(i), Q.at(i))))
case("i64", "Not", "", [P], T("i1", [2, 1], [0, 1]))
for to, function in (("f32", float), ("i32", int), ("i1", bool)):
    case("i64", "Cast", number("to", CODES[to]), [I], T(to, [2, 3], map(function, I.values)))
case("i64", "Cast", number("to", CODES["i64"]), [P], T("i64", [2, 1], [1, 0]))

# Movement and shapes, on numbers that are all different.
D = make("f32", [2, 3, 4], lambda i, j, k: 100 * i + 10 * j + k)


def moved(shape, function):
    return make("f32", shape, lambda *i: D.at(function(*i)))


def move(op, attributes, operands, *results, fixed=()):
    case("move", op, attributes, operands, *results, fixed=fixed)


move("Transpose", "", [D], moved([4, 3, 2], lambda a, b, c: (c, b, a)))
move("Transpose", listed("perm", 1, 0, 2), [D], moved([3, 2, 4], lambda a, b, c: (b, a, c)))
move("Transpose", listed("perm", 2, 0, 1), [D], moved([4, 2, 3], lambda a, b, c: (b, c, a)))
move("Reshape", "", [D, ints(0, -1)], T("f32", [2, 12], D.values), fixed=[1])
move("Reshape", "", [D, ints(4, 3, 2)], T("f32", [4, 3, 2], D.values), fixed=[1])
move("Reshape", "", [D, ints(1, 2, 1, 12, 1)], T("f32", [1, 2, 1, 12, 1], D.values), fixed=[1])
move("Reshape", "", [T("f32", [1, 1], [7]), ints()], T("f32", [], [7]), fixed=[1])
move("Reshape", "", [T("f32", [], [7]), ints(1, 1)], T("f32", [1, 1], [7]), fixed=[1])
move("Flatten", number("axis", 2), [D], T("f32", [6, 4], D.values))
move("Flatten", number("axis", 0), [D], T("f32", [1, 24], D.values))
move("Unsqueeze", "", [D, ints(-1, 0)], T("f32", [1, 2, 3, 4, 1], D.values), fixed=[1])
E1 = T("f32", [1, 3, 1], [1, 2, 3])
move("Squeeze", "", [E1], T("f32", [3], E1.values))
move("Squeeze", "", [E1, ints(-1)], T("f32", [1, 3], E1.values), fixed=[1])
move("Expand", "", [E1, ints(2, 1, 2)], make("f32", [2, 3, 2], lambda i, j, k: j + 1), fixed=[1])
move("Tile", "", [E1, ints(2, 2, 1)], make("f32", [2, 6, 1], lambda i, j, k: j % 3 + 1), fixed=[1])
move("Identity", "", [D], D)
move("Shape", "", [D], ints(2, 3, 4))
move("Shape", number("start", -2), [D], ints(3, 4))
move("Size", "", [D], T("i64", [], [24]))
move("ConstantOfShape", "", [ints(2, 3)], T("f32", [2, 3], [0] * 6), fixed=[0])
move("Range", "", [T("i64", [], [5]), T("i64", [], [-4]), T("i64", [], [-3])], ints(5, 2, -1), fixed=[0, 1, 2])
move("Range", "", [T("i64", [], [0]), T("i64", [], [600]), T("i64", [], [1])], ints(*range(600)), fixed=[0, 1, 2])
move("Range", "", [T("f32", [], [1]), T("f32", [], [2.5]), T("f32", [], [0.5])], T("f32", [3], [1, 1.5, 2]), fixed=[0, 1, 2])
for starts, ends, axes, steps, shape, function in (
    ([1], [2**63 - 1], [2], [2], [2, 3, 2], lambda i, j, k: (i, j, 1 + 2 * k)),
    ([-3, 1], [-1, 9], [2, 0], [1, 1], [1, 3, 2], lambda i, j, k: (1, j, 1 + k)),
    ([-1, 2], [-(2**63), 0], [1, 2], [-1, -2], [2, 3, 1], lambda i, j, k: (i, 2 - j, 2)),
):
    move("Slice", "", [D, ints(*starts), ints(*ends), ints(*axes), ints(*steps)], moved(shape, function), fixed=[1, 2, 3, 4])
move("Split", number("axis", 2) + number("num_outputs", 2), [D], moved([2, 3, 2], lambda i, j, k: (i, j, k)),
     moved([2, 3, 2], lambda i, j, k: (i, j, 2 + k)))
move("Split", number("axis", 1), [D, ints(1, 2)], moved([2, 1, 4], lambda i, j, k: (i, j, k)),
     moved([2, 2, 4], lambda i, j, k: (i, 1 + j, k)), fixed=[1])
for axis in range(3):
    shape = [2, 3, 4]
    shape[axis] *= 2
    move("Concat", number("axis", axis - 3), [D, D], moved(shape, lambda *i: tuple(v % n for v, n in zip(i, (2, 3, 4)))))
move("Gather", number("axis", 1), [D, T("i64", [2, 2], [2, 0, -1, 1])],
     moved([2, 2, 2, 4], lambda i, a, b, k: (i, [2, 0, 2, 1][2 * a + b], k)))
move("Gather", number("axis", -1), [D, T("i64", [], [-2])], moved([2, 3], lambda i, j: (i, j, 2)))
move("Gather", number("axis", 1), [D, T("i32", [1], [1])], moved([2, 1, 4], lambda i, j, k: (i, 1, k)), fixed=[1])
move("GatherElements", number("axis", 2), [D, T("i64", [2, 1, 2], [3, 0, -1, 1])],
     moved([2, 1, 2], lambda i, j, k: (i, j, [3, 0, 3, 1][2 * i + k])))

# An index that only an input says reads the nearest element where it lies outside.
case("outside", "Gather", number("axis", 1), [D, ints(3, -4, 2**62, -(2**63))], moved([2, 4, 4], lambda i, j, k: (i, [2, 0, 2, 0][j], k)))
case("outside", "GatherElements", number("axis", 2), [D, T("i64", [1, 1, 2], [4, -5])], moved([1, 1, 2], lambda i, j, k: (0, 0, [3, 0][k])))

# Products.
def product(a, b, type="f32"):
    left, right = a.shape, b.shape
    sa, sb = ((1,) + left if len(left) == 1 else left), (right + (1,) if len(right) == 1 else right)
    fa, fb = T(a.type, sa, a.values), T(b.type, sb, b.values)
    batch, rank = [], max(len(sa), len(sb)) - 2
    for k in range(rank):
        x = ((1,) * (rank + 2 - len(sa)) + sa)[k]
        y = ((1,) * (rank + 2 - len(sb)) + sb)[k]
        batch.append(max(x, y))
    shape = batch + ([sa[-2]] if len(left) > 1 else []) + ([sb[-1]] if len(right) > 1 else [])
    full = batch + [sa[-2], sb[-1]]

    def one(*i):
        return sum(fa.at(i[:-1] + (k,)) * fb.at(i[:-2] + (k, i[-1])) for k in range(sa[-1]))

    case("matmul", "MatMul", "", [a, b], T(type, shape, [one(*i) for i in indices(full)]))


def numbers(*shape, type="f32"):
    values = [(7 * k + 3) % 11 - 5 for k in range(math.prod(shape))]
    return T(type, shape, values)


for left, right in (((2, 3), (3, 4)), ((3,), (3,)), ((3,), (3, 2)), ((2, 3), (3,)), ((2, 5, 2, 3), (3, 4)),
                    ((2, 5, 2, 3), (2, 5, 3, 4)), ((2, 1, 2, 3), (5, 3, 4)), ((1, 2, 3), (5, 3, 4)), ((3, 1, 2), (3, 2, 1)),
                    ((1, 1, 2, 3), (1, 3, 4)), ((3,), (4, 3, 2)), ((2, 5, 2, 3), (2, 1, 3, 4))):
    product(numbers(*left), numbers(*right))
product(numbers(2, 3, type="f16"), numbers(3, 4, type="f16"), type="f16")
product(numbers(2, 1, 2, 3, type="f16"), numbers(5, 3, 4, type="f16"), type="f16")
product(numbers(2, 3, type="i64"), numbers(3, 4, type="i64"), type="i64")

# Reductions.
R = make("f32", [2, 3, 4], lambda i, j, k: ((5 * i + 7 * j + 3 * k) % 9 - 3) / 2)


def rows(tensor, axes, keep):
    shape = [1 if d in axes else s for d, s in enumerate(tensor.shape)]
    values = [[tensor.at(i) for i in indices(tensor.shape) if all(d in axes or i[d] == o[d] for d in range(3))] for o in indices(shape)]
    return shape if keep else [s for d, s in enumerate(tensor.shape) if d not in axes], values


REDUCTIONS = {
    "ReduceSum": sum, "ReduceMean": lambda v: sum(v) / len(v), "ReduceMax": max, "ReduceMin": min, "ReduceProd": math.prod,
    "ReduceSumSquare": lambda v: sum(x * x for x in v), "ReduceL1": lambda v: sum(map(abs, v)),
    "ReduceL2": lambda v: math.sqrt(sum(x * x for x in v)), "ReduceLogSumExp": lambda v: math.log(sum(map(math.exp, v))),
}
for op, function in REDUCTIONS.items():
    for axes, keep in (([0, 1, 2], 1), ([1], 0), ([0, 2], 1)):
        shape, values = rows(R, axes, keep)
        case("reduce", op, number("keepdims", keep), [R, ints(*(axes if len(axes) < 3 else []))], T("f32", shape, map(function, values)), fixed=[1])
shape, values = rows(make("f32", [2, 3, 4], lambda i, j, k: i + j + k + 1), [2], 0)
case("reduce", "ReduceLogSum", number("keepdims", 0), [make("f32", [2, 3, 4], lambda i, j, k: i + j + k + 1), ints(-1)],
     T("f32", shape, [math.log(sum(v)) for v in values]), fixed=[1])
case("reduce", "ReduceSum", number("noop_with_empty_axes", 1), [R, ints()], R, fixed=[1])
for op, value in (("ReduceMax", 5), ("ReduceMin", -3), ("ReduceSum", 4), ("ReduceProd", -30)):
    case("reduce", op, number("keepdims", 0), [J], T("i64", [], [value]))
for op, value in (("ReduceSum", 0), ("ReduceProd", 1)):
    case("reduce", op, number("keepdims", 0), [ints()], T("i64", [], [value]), fixed=[0])
for type in ("f32", "f16"):
    H = T(type, R.shape, R.values)
    for axis in range(3):
        table = dict(zip(indices(rows(R, [axis], 1)[0]), rows(R, [axis], 1)[1]))

        def row(i):
            return table[tuple(0 if d == axis else v for d, v in enumerate(i))]

        soft = [math.exp(R.at(i)) / sum(map(math.exp, row(i))) for i in indices(R.shape)]
        case("reduce", "Softmax", number("axis", axis), [H], T(type, R.shape, soft))
        case("reduce", "LogSoftmax", number("axis", axis - 3), [H], T(type, R.shape, map(math.log, soft)))
    SCALE, BIAS = T(type, [4], [1, 2, -1, 0.5]), T(type, [4], [0, 1, 2, -1])

    def normed(axes, centred, bias, eps):
        shape, values = rows(R, axes, 1)
        result, means, roots = [], [], []
        for v in values:
            mean = sum(v) / len(v) if centred else 0
            means.append(mean)
            roots.append(1 / math.sqrt(sum((x - mean) ** 2 for x in v) / len(v) + eps))
        for i in indices(R.shape):
            at = 0
            for d, s in enumerate(shape):
                at = at * s + (0 if d in axes else i[d])
            result.append((R.at(i) - means[at]) * roots[at] * SCALE.at(i) + (BIAS.at(i) if bias else 0))
        return T(type, R.shape, result), T("f32", shape, means), T("f32", shape, roots)

    case("reduce", "LayerNormalization", "", [H, SCALE, BIAS], *normed([2], True, True, 1e-5))
    case("reduce", "LayerNormalization", number("axis", 1) + number("epsilon", 0.5), [H, SCALE], normed([1, 2], True, False, 0.5)[0])
    case("reduce", "RMSNormalization", "", [H, SCALE], normed([2], False, False, 1e-5)[0])


def spell(type, value):
    if type[0] == "i":
        return str(int(value)) if type != "i1" else str(bool(value)).lower()
    if type == "f16":
        return hex(struct.unpack("<H", struct.pack("<e", value))[0])
    if type == "f64":
        return repr(float(value))
    return hex(struct.unpack("<I", struct.pack("<f", value))[0])


def mlir_type(t):
    return "tensor<" + "".join(f"{s}x" for s in t.shape) + t.type + ">"


def nested(shape, values):
    if not shape:
        return values[0]
    step = len(values) // shape[0]
    return "[" + ", ".join(nested(shape[1:], values[k * step : (k + 1) * step]) for k in range(shape[0])) + "]"


def initializer(name, t):
    dims = " ".join(f"dims: {s}" for s in t.shape)
    if t.type == "f32":
        field, values = "float_data", [repr(struct.unpack("<f", struct.pack("<f", v))[0]) for v in t.values]
    elif t.type == "i64":
        field, values = "int64_data", t.values
    elif t.type == "f64":
        field, values = "double_data", t.values
    else:
        field, values = "int32_data", [int(spell(t.type, v), 0) if t.type == "f16" else int(v) for v in t.values]
    return f'initializer {{ name: "{name}" data_type: {CODES[t.type]} {dims} {field}: [{", ".join(map(str, values))}] }}'


def operands(family, mode):
    for c, (op, attributes, tensors, results, fixed) in enumerate(CASES[family]):
        for k, t in enumerate(tensors):
            yield f"c{c}_{k}", t, mode == "constants" or k in fixed


def model(family, mode):
    lines = []
    for c, (op, attributes, tensors, results, _) in enumerate(CASES[family]):
        names = " ".join(f'input: "c{c}_{k}"' for k in range(len(tensors)))
        outs = " ".join(f'output: "y{c}_{k}"' for k in range(len(results)))
        lines.append(f'node {{ op_type: "{op}" name: "{op}.{c}" {names} {outs} {attributes} }}')
        for k, t in enumerate(results):
            dims = " ".join(f"dim {{ dim_value: {s} }}" for s in t.shape)
            lines.append(f'output {{ name: "y{c}_{k}" type {{ tensor_type {{ elem_type: {CODES[t.type]} shape {{ {dims} }} }} }} }}')
    for name, t, constant in operands(family, mode):
        dims = " ".join(f"dim {{ dim_value: {s} }}" for s in t.shape)
        lines.append(initializer(name, t) if constant else
                     f'input {{ name: "{name}" type {{ tensor_type {{ elem_type: {CODES[t.type]} shape {{ {dims} }} }} }} }}')
    print("ir_version: 10 opset_import { version: 25 }\ngraph {\n  name: \"g\"\n  " + "\n  ".join(lines) + "\n}")


def driver(family, mode, module):
    lines, arguments, types = [], [], []
    for name, t, constant in operands(family, mode):
        if not constant:
            values = nested(t.shape, [spell(t.type, v) for v in t.values])
            lines.append(f"%{name} = arith.constant dense<{values}> : {mlir_type(t)}")
            arguments.append("%" + name)
            types.append(mlir_type(t))
    results = [t for c in CASES[family] for t in c[3]]
    lines.append(f"%r:{len(results)} = func.call @main({', '.join(arguments)}) : ({', '.join(types)}) -> ({', '.join(map(mlir_type, results))})")
    for k, t in enumerate(results):
        wide, value = mlir_type(T("f32", t.shape, t.values)), f"%r#{k}"
        convert = {"f16": "extf", "f64": "truncf", "i1": "uitofp", "i32": "sitofp", "i64": "sitofp"}.get(t.type)
        if convert:
            lines.append(f"%w{k} = arith.{convert} {value} : {mlir_type(t)} to {wide}")
            value = f"%w{k}"
        lines.append(f"%u{k} = tensor.cast {value} : {wide} to tensor<*xf32>")
        lines.append(f"func.call @printMemrefF32(%u{k}) : (tensor<*xf32>) -> ()")
    start = "module {\nfunc.func private @printMemrefF32(tensor<*xf32>)\nfunc.func @start() {\n  " + "\n  ".join(lines) + "\n  return\n}\n"
    print(open(module).read().replace("module {\n", start, 1))


def compare(family):
    printed = sys.stdin.read().split("Unranked Memref")[1:]
    wanted = [(f"{op} of case {c}", t) for c, (op, _, _, results, _) in enumerate(CASES[family]) for t in results]
    if len(printed) != len(wanted):
        sys.exit(f"{len(printed)} results, expected {len(wanted)}")
    for (name, t), text in zip(wanted, printed):
        head, data = text.split("data =")
        sizes = [int(v) for v in re.findall(r"\d+", re.search(r"sizes = \[(.*?)\]", head).group(1))]
        got = [float(x) for x in re.findall(r"-?(?:\d[\d.e+-]*|inf|nan)", data)]
        if sizes != list(t.shape) or len(got) != len(t.values):
            sys.exit(f"{name}: shape {sizes}, expected {list(t.shape)}")
        for x, y in zip(got, t.values):
            bound = (2e-3 if t.type == "f16" else 1e-5) * max(1, abs(y))
            if not (abs(x - y) <= bound or x == y or (math.isnan(x) and math.isnan(y))):
                sys.exit(f"{name}: {got}, expected {t.values}")
    print(f"{len(wanted)} results agree")


if sys.argv[1] == "model":
    model(*sys.argv[2:])
elif sys.argv[1] == "driver":
    driver(*sys.argv[2:])
else:
    compare(sys.argv[2])
