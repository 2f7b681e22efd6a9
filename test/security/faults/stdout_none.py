"""No stream at all where the output goes."""

import sys

sys.stdout = None
