"""Recursion without end."""


def f(n):
    """Never ends."""
    return f(n + 1)


f(0)
