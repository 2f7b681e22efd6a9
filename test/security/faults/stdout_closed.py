"""Nothing is printed any more, also not by us."""

import sys

sys.stdout.close()
