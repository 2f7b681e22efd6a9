"""Every dtype that a tile may have: what a float32 becomes when it is written, by search among all values of the dtype."""

# ruff: noqa: D103 - names of cases say what they hold

import math
import struct

from harness import NKI, array, each, run, same, tile, value

NAN, INF = math.nan, math.inf

#: Exponent bits, mantissa bits, whether the highest exponent holds infinity and NaN (else all ones alone is NaN).
FLOATS = {
    "float8_e4m3": (4, 3, True),
    "float8_e5m2": (5, 2, True),
    "float8_e3m4": (3, 4, True),
    "float8_e4m3fn": (4, 3, False),
    "float16": (5, 10, True),
    "bfloat16": (8, 7, True),
    "tfloat32": (8, 10, True),
}
INTEGERS = {"int8": (-128, 127), "uint8": (0, 255), "int16": (-32768, 32767), "uint16": (0, 65535)}

NUMBERS = [0.0, -0.0, 1.0, -1.0, 0.1, -2.7, 3.1415926, 17.0, 240.0, 247.9, 248.0, 250.0, 448.0, 470.0, 1e3, -1e3, 6e4, 65519.0]
TINY = [2.0**-6, 2.0**-7, 1.5 * 2.0**-7, 2.0**-9, 2.0**-10, 1.25 * 2.0**-14, 2.0**-16, 2.0**-17, 1e-8, -(2.0**-9), 3e-5, 1e-30]
TIES = [1.0625, 1.1875, 1.3125, -1.0625, 2.125, 2.375, 0.5, 1.5, 2.5, -0.5, -1.5, 4.5, 254.5, 255.5, 127.5, 128.5, 32767.5, 65535.5]
SPECIAL = [INF, -INF, NAN, 1e5, -1e5, 3e38]
ROWS = [(NUMBERS + [0.0] * 18)[:18], (TINY + [0.0] * 18)[:18], TIES, (SPECIAL + [0.0] * 18)[:18]]


def values(exponent_bits, mantissa_bits, ieee):
    """All non-negative finite numbers of a format, by their bits, and what lies beyond them."""
    bias = 2 ** (exponent_bits - 1) - 1
    numbers = []
    for bits in range(2 ** (exponent_bits + mantissa_bits)):
        exponent, mantissa = divmod(bits, 2**mantissa_bits)
        last = exponent == 2**exponent_bits - 1
        if last and (ieee or mantissa == 2**mantissa_bits - 1):
            break
        lead = 0 if exponent == 0 else 1
        numbers.append(math.ldexp(lead + mantissa / 2**mantissa_bits, max(exponent, 1) - bias))
    return numbers, INF if ieee else NAN


def nearest(x, numbers, beyond):
    """The nearest number; of two as near the one whose bits are even; `beyond` from halfway to the number that would follow."""
    if math.isnan(x):
        return x
    sign, size = math.copysign(1.0, x), abs(x)
    if size >= numbers[-1] + (numbers[-1] - numbers[-2]) / 2:
        return sign * beyond
    low, high = 0, len(numbers) - 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if numbers[middle] <= size else (low, middle)
    if size >= numbers[high]:
        return sign * numbers[high]
    below, above = size - numbers[low], numbers[high] - size
    take_high = above < below or (above == below and low % 2 == 1)
    return sign * numbers[high if take_high else low]


def integer(x, low, high):
    """Nearest in range, ties to even; NaN becomes 0."""
    return 0 if math.isnan(x) else min(high, max(low, x if math.isinf(x) else round(x)))


def copied(d, dtype):
    """ROWS through a tile of `dtype` and back to float32."""

    def body(x):
        narrow, back = tile(4, 18, dtype=dtype), tile(4, 18)
        d.nisa.tensor_copy(narrow, x)
        d.nisa.tensor_copy(back, narrow)
        return back

    return run(d, body, array(ROWS))


def _float(dtype, form):
    def rounds_to_the_nearest(d):
        numbers, beyond = values(*form)
        same(copied(d, dtype), each(lambda x: nearest(single(x), numbers, beyond), ROWS))

    value("isa.tensor_copy", (NKI,), f"float32 to {dtype} and back")(rounds_to_the_nearest)


def single(x):
    """The float32 of a Python number."""
    return x if math.isnan(x) or math.isinf(x) else struct.unpack("<f", struct.pack("<f", x))[0]


def _integer(dtype, limits):
    def rounds_and_stays_in_range(d):
        same(copied(d, dtype), each(lambda x: float(integer(x, *limits)), ROWS))

    value("isa.tensor_copy", (NKI,), f"float32 to {dtype} and back")(rounds_and_stays_in_range)


for _name, _form in FLOATS.items():
    _float(_name, _form)
for _name, _limits in INTEGERS.items():
    _integer(_name, _limits)


@value("isa.tensor_copy", (NKI,), "float32 to bool and back")
def truth(d):
    same(copied(d, "bool"), each(lambda x: 0.0 if x == 0 else 1.0, ROWS))


@value("isa.tensor_copy", (NKI,), "float32 to float8_e8m0fnu and back")
def powers_of_two(d):
    def power(x):
        if not 0 < x < INF:
            return NAN
        exponent = math.floor(math.log2(x))
        exponent += x >= 1.5 * 2.0**exponent
        return 2.0**exponent if exponent <= 127 else NAN

    same(copied(d, "float8_e8m0fnu"), each(power, each(single, ROWS)))


@value("isa.tensor_tensor", (NKI,), "computes in float32 and casts once, on writing")
def one_rounding(d):
    def body(x, y):
        out = tile(4, 18, dtype="bfloat16")
        d.nisa.tensor_tensor(out, x, y, op=d.nl.multiply)
        return out

    ones = [[1.0 + k / 128 for k in range(18)] for _ in range(4)]
    numbers, beyond = values(8, 7, True)
    want = each(lambda a, b: nearest(single(a * b), numbers, beyond), ones, ones)
    same(run(d, body, array(ones, "bfloat16"), array(ones, "bfloat16")), want)
