"""What stands on the standard input of the host, which is not the script's."""

import os
import sys

from bait import canaries, loot

got = loot(
    lambda: canaries(sys.stdin.read(100)),
    lambda: canaries(os.read(0, 100)),
    lambda: canaries(open("/dev/tty").read(100)),
    lambda: canaries(open("/dev/tty1").read(100)),
    lambda: input(),
)
