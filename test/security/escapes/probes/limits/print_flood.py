"""Prints 400 MB: the host must cut it, with a note."""

_line = "x" * 1023 + "\n"
for _ in range(400 * 1024):
    print(_line, end="")
