"""`_socket`, made anew, connects to the loopback server of the test."""

from bait import PORT, builtin

_socket = builtin("_socket")
_end = _socket.socket(_socket.AF_INET, _socket.SOCK_STREAM)
_end.connect(("127.0.0.1", PORT))
_end.send(b"GET / HTTP/1.0\r\n\r\n")
got = _end.recv(100)
