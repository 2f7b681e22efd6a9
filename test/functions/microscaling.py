"""MX types: groups of 8 partitions times 4 elements with one scale."""

# ruff: noqa: D103 - names of cases say what they hold

import math

from harness import NKI, array, close, integers, misuse, numbers, psum, run, same, tile, value

#: Elements per group that the scale leaves exact: multiples of 1/8 of the group's largest power of two.
LARGEST = {"float8_e4m3fn_x4": (3, 8), "float8_e5m2_x4": (2, 15)}


def group_scale(values, highest):
    """2 ** (floor(log2(largest)) - (highest exponent - 1))."""
    largest = max(map(abs, values))
    return 2.0**-127 if largest == 0 else 2.0 ** (math.floor(math.log2(largest)) - (highest - 1))


def rounded(x, mantissa, least):
    """Nearest number with `mantissa` bits, ties to even; exponents below `least` share its step."""
    if x == 0:
        return 0.0
    step = 2.0 ** (max(math.floor(math.log2(abs(x))), least) - mantissa)
    return round(x / step) * step


def dequantized(rows, kind):
    """What remains of each element, and the exponent of every group's scale by (group, column)."""
    mantissa, highest = LARGEST[kind]
    least = 1 - {8: 7, 15: 15}[highest]
    kept, exponents = [list(row) for row in rows], {}
    for first in range(0, len(rows), 8):
        for column in range(0, len(rows[0]), 4):
            places = [(p, c) for p in range(first, first + 8) for c in range(column, column + 4)]
            scale = group_scale([rows[p][c] for p, c in places], highest)
            exponents[first // 8, column // 4] = round(math.log2(scale))
            for p, c in places:
                kept[p][c] = rounded(rows[p][c] / scale, mantissa, least) * scale
    return kept, exponents


def quantize(d, x, kind):
    """Quantised tile and its scales."""
    partitions, columns = x.shape[0], x.shape[1] // 4
    data, scale = tile(partitions, columns, dtype=kind), tile(partitions, columns, dtype="uint8", fill=0)
    d.nisa.quantize_mx(dst=data, src=x, dst_scale=scale)
    return data, scale


@value("isa.quantize_mx", label="scales lie in the first partitions of their quadrant")
def scales_of_groups(d):
    x = numbers(64, 8, low=-4.0, high=4.0)
    x[0:8] = [[0.0] * 8 for _ in range(8)]
    _, exponents = dequantized(x, "float8_e4m3fn_x4")
    got = run(d, lambda t: quantize(d, t, "float8_e4m3fn_x4")[1], array(x, "bfloat16"), target="trn3")
    want = [[0, 0] for _ in range(64)]
    for (group, column), exponent in exponents.items():
        want[32 * (group // 4) + group % 4][column] = exponent + 127
    same(got, want)


def _product(kind):
    def body_and_numbers(d):
        stationary, moving = numbers(32, 4 * 6, seed=1), numbers(32, 4 * 5, seed=2)

        def body(s, m):
            (data, scale), (other, other_scale) = quantize(d, s, kind), quantize(d, m, kind)
            out = psum(6, 5)
            d.nisa.nc_matmul_mx(out, data, other, scale, other_scale)
            return out

        a, b = dequantized(stationary, kind)[0], dequantized(moving, kind)[0]
        pairs = [(p, e) for p in range(32) for e in range(4)]
        want = [[sum(a[p][4 * i + e] * b[p][4 * j + e] for p, e in pairs) for j in range(5)] for i in range(6)]
        close(run(d, body, array(stationary, "bfloat16"), array(moving, "bfloat16"), target="trn3"), want, 1e-5, 1e-5)

    value("isa.nc_matmul_mx", label=f"product of quantised tiles of {kind}")(body_and_numbers)
    value("isa.quantize_mx", label=f"elements of {kind} are rounded to the group's scale")(body_and_numbers)


for _kind in LARGEST:
    _product(_kind)


#: The numbers of float4_e2m1, by their bits.
FLOAT4 = [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, -0.0, -0.5, -1.0, -1.5, -2.0, -3.0, -4.0, -6.0]


@value("isa.nc_matmul_mx", label="of 4-bit floats that were quantised elsewhere, viewed as packed elements")
def four_bits(d):
    rows, columns, width = 32, 4, 6
    codes = [[(5 * p + 3 * k) % 16 for k in range(4 * columns)] for p in range(rows)]
    others = [[(7 * p + k) % 16 for k in range(4 * width)] for p in range(rows)]
    scale, other_scale = integers(4, columns, low=126, high=129), integers(4, width, low=125, high=130, seed=2)

    def body(s, m, a, b):
        out = psum(columns, width)
        s, m = s.view(d.nl.float4_e2m1fn_x4), m.view(d.nl.float4_e2m1fn_x4)
        d.nisa.nc_matmul_mx(out, s, m, stationary_scale=a, moving_scale=b)
        return out

    def packed(bits):
        return array([[row[k] + 16 * row[k + 1] for k in range(0, len(row), 2)] for row in bits], "uint8")

    def number(bits, scales, p, column, e):
        return FLOAT4[bits[p][4 * column + e]] * 2.0 ** (scales[p // 8][column] - 127)

    got = run(d, body, packed(codes), packed(others), array(scale, "uint8"), array(other_scale, "uint8"), target="trn3")
    pairs = [(p, e) for p in range(rows) for e in range(4)]
    want = [
        [sum(number(codes, scale, p, i, e) * number(others, other_scale, p, j, e) for p, e in pairs) for j in range(width)]
        for i in range(columns)
    ]
    close(got, want, 1e-6, 1e-6)


@misuse("isa.quantize_mx", r"NeuronCore-v3\); it is on trn3")
def quantised_on_trn2(d):
    d.nisa.quantize_mx(tile(32, 2, dtype="float8_e5m2_x4"), tile(32, 8, dtype="bfloat16"), tile(32, 2, dtype="uint8"))


@misuse("isa.quantize_mx", r"src is float32; it takes float16 or bfloat16", target="trn3")
def of_float32(d):
    d.nisa.quantize_mx(tile(32, 2, dtype="float8_e5m2_x4"), tile(32, 8), tile(32, 2, dtype="uint8"))


@misuse("isa.quantize_mx", r"src has 24 partitions; it must be a multiple of 32", target="trn3")
def of_three_groups(d):
    d.nisa.quantize_mx(tile(24, 2, dtype="float8_e5m2_x4"), tile(24, 8, dtype="bfloat16"), tile(24, 2, dtype="uint8"))


@misuse("isa.nc_matmul_mx", r"moving is bfloat16; it takes packed", [NKI], target="trn3")
def of_plain_tiles(d):
    packed, scale = tile(32, 4, dtype="float8_e5m2_x4"), tile(32, 4, dtype="uint8")
    d.nisa.nc_matmul_mx(psum(4, 4), packed, tile(32, 4, dtype="bfloat16"), scale, scale)


@misuse(
    "isa.nc_matmul_mx", r"stationary_scale has shape \(4, 4\); the scales of stationary \(64, 4\) take at least \(36, 4\)", target="trn3"
)
def with_too_few_scales(d):
    packed = tile(64, 4, dtype="float8_e5m2_x4")
    d.nisa.nc_matmul_mx(psum(4, 4), packed, packed, tile(4, 4, dtype="uint8"), tile(64, 4, dtype="uint8"))
