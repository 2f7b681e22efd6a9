"""Code objects with bytes changed at random: some of them run."""

import marshal
import random

random.seed(1)
base = marshal.dumps(compile("def f(a):\n  return [x for x in a]\nf([1])", "x", "exec"))
for _ in range(2000):
    b = bytearray(base)
    for _change in range(5):
        b[random.randrange(len(b))] = random.randrange(256)
    try:
        exec(marshal.loads(bytes(b)))
    except Exception:
        pass
