"""Messages that are framed as they should be and ask for what no front end would."""

import json
import os
import struct

MESSAGES = [
    {},
    {"call": 5},
    {"call": ["run"]},
    {"call": "constructor"},
    {"call": "run"},
    {"call": "run", "inputs": [99], "bytes": [4]},
    {"call": "run", "inputs": "x", "bytes": {}},
    {"call": "run", "inputs": [], "places": 5},
    {"call": "peek"},
    {"call": "peek", "first": True, "inputs": [[0]], "tensor": 0, "offset": 0, "strides": [], "counts": [], "purpose": "print"},
    {"call": "array.put", "dtype": "float32", "shape": [-1]},
    {"call": "array.put", "dtype": 5, "shape": "x"},
    {"call": "array.op"},
    {"call": "array.op", "op": "cast"},
    {"call": "array.op", "op": "cast", "operands": [0], "attributes": {}, "dtype": "float32", "shape": [1]},
    {"call": "array.get", "array": "x"},
    {"call": "array.free", "array": {}},
    {"call": "progress"},
    {"call": "saveProfile", "name": 5},
    {"call": "done", "error": 5, "kernels": 7},
    {"call": "done", "error": {"kind": 1, "message": 2}, "kernels": []},
    {"call": "done", "error": None, "kernels": [{}]},
    {"call": "done", "error": None, "kernels": [{"name": "k", "line": 1, "params": 3}]},
]

device = os.environ.get("NKI_SCOPE_HOST_WRITE_FD")
write, read = (int(device), int(os.environ["NKI_SCOPE_HOST_READ_FD"])) if device else 2 * (os.open("/dev/nki", os.O_RDWR),)
for message in MESSAGES:
    text = json.dumps(message).encode()
    os.write(write, struct.pack("<II", len(text), 0) + text)
    header, payload = struct.unpack("<II", os.read(read, 8))
    print(json.dumps(message), json.loads(os.read(read, header))["error"]["kind"])
