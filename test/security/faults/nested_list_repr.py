"""Lists in lists, deeper than the stack of C."""

a = []
for _ in range(100000):
    a = [a]
print(repr(a)[:10])
