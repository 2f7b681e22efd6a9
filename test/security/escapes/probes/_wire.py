"""A second descriptor of the host's device, and raw messages over it."""

import json
import os
import struct

_HEAD = struct.Struct("<II")


def opened():
    """A new descriptor of the device."""
    return os.open("/dev/nki", os.O_RDWR)


def send(number, header, payload=b"", *, header_size=None, payload_size=None):
    """Writes one message. `header`: bytes as they are, or an object for JSON. The sizes: what the head says instead of the truth."""
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    os.write(number, _HEAD.pack(len(text) if header_size is None else header_size, len(payload) if payload_size is None else payload_size))
    os.write(number, text)
    if payload:
        os.write(number, payload)


def receive(number):
    """The reply's header, and its payload."""
    header_size, payload_size = _HEAD.unpack(_read(number, _HEAD.size))
    return json.loads(_read(number, header_size)), _read(number, payload_size)


def ask(header, payload=b""):
    """One question over a descriptor of its own."""
    number = opened()
    try:
        send(number, header, payload)
        return receive(number)
    finally:
        os.close(number)


def _read(number, size):
    data = b""
    while len(data) < size:
        piece = os.read(number, size - len(data))
        if not piece:
            raise EOFError(f"{len(data)} of {size} bytes")
        data += piece
    return data
