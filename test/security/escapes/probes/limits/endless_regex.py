"""A match that takes for ever and hears no interrupt."""

import re

re.match(r"(a+)+$", "a" * 64 + "b")
