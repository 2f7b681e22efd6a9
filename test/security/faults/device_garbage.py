"""A frame that no message has: nothing that follows can be read."""

import os

fd = int(os.environ.get("NKI_SCOPE_HOST_WRITE_FD") or os.open("/dev/nki", os.O_RDWR))
os.write(fd, b"\xff" * 64)
