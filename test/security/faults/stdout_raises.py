"""A stream of the script's own that raises when it is flushed."""

import sys


class S:
    """Raises when it is flushed."""

    def flush(self):
        """As the end of a run does."""
        raise ValueError("no")

    def write(self, t):
        """Nowhere."""


sys.stdout = S()
