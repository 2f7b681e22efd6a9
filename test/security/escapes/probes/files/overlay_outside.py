"""Texts of unsaved files that the editor gives for paths outside of the workspace, one of them over a secret."""

from bait import OUTSIDE, loot, read

got = loot(lambda: read(OUTSIDE + "/unsaved.py"), lambda: read(OUTSIDE + "/secret.txt"), lambda: read("../outside/unsaved.py"))
