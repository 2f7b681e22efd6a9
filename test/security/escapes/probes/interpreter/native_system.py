"""`posix`, made anew, has the functions that start processes."""

from bait import OUTSIDE, builtin

got = builtin("posix").system(f"touch {OUTSIDE}/system") == 0 or None
