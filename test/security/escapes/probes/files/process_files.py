"""What Linux shows of a process: environment, command line, memory, descriptors, its root and its working folder."""

from bait import OUTSIDE, loot, read

_NAMES = ["environ", "cmdline", "maps", "mem", "status", "root" + OUTSIDE + "/secret.txt", "cwd/../outside/secret.txt", "task/self/environ"]
_PROCESSES = ["self", "1", "thread-self", "self/task/1", "self/../self"]
got = loot(*[lambda p=p, n=n: read(f"/proc/{p}/{n}", 4096) for p in _PROCESSES for n in _NAMES])
