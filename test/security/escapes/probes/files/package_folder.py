"""Out of the folders of the product that are mounted beside the workspace, and what lies next to them on the disk."""

import os

from bait import OUTSIDE, loot, read

got = loot(
    lambda: read("/nki-scope/python/../../worker.mjs", 100),
    lambda: read("/nki-scope/python/../worker.mjs", 100),
    lambda: read("/nki-scope/standins/../../../package.json", 100),
    lambda: read("/nki-scope/python/nki/../../.." + OUTSIDE + "/secret.txt"),
    lambda: [n for n in os.listdir("/nki-scope") if n not in ("python", "standins")],
    lambda: [n for n in os.listdir("/") if n not in ("tmp", "home", "dev", "proc", "lib", "nki-scope", OUTSIDE.split("/")[1])],
)
