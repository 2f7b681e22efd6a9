"""The front end's last message comes behind two bytes that were no message."""

import os

fd = int(os.environ.get("NKI_SCOPE_HOST_WRITE_FD") or os.open("/dev/nki", os.O_RDWR))
os.write(fd, b"\x05\x00")
