"""Names that another layer may read otherwise: NUL, backslashes, percent signs, look-alikes of dots, lone surrogates, drives."""

from bait import OUTSIDE, loot, read

_PATHS = ["..\\outside\\secret.txt", "%2e%2e/outside/secret.txt", "\u2024\u2024/outside/secret.txt", "\uff0e\uff0e\uff0foutside/secret.txt"]
_PATHS += [
    f"drive.py\0/../..{OUTSIDE}/secret.txt",
    f"{OUTSIDE}/secret.txt\0.py",
    "\udc2e\udc2e/outside/secret.txt",
    "\ud800/../../outside/secret.txt",
]
_PATHS += [
    "C:\\Windows\\win.ini",
    "//server/share/secret.txt",
    "\\\\?\\C:\\secret.txt",
    "file://" + OUTSIDE + "/secret.txt",
    "~/.secret",
    "CON",
]
_PATHS += ["...../outside/secret.txt", ".. /outside/secret.txt", "..\u0338/outside/secret.txt"]
got = loot(*[lambda p=p: read(p) for p in _PATHS], *[lambda p=p: read(p.encode("utf-8", "surrogatepass")) for p in _PATHS])
