"""Modules that write files by themselves: byte code beside sources, temporary files, data bases, logs, traces."""

import os
import sys

from bait import OUTSIDE, loot


def _sqlite():
    import sqlite3

    sqlite3.connect("made.sqlite").execute("CREATE TABLE t (a)")
    return "sqlite"


def _bytecode():
    import py_compile

    sys.dont_write_bytecode = False
    return py_compile.compile("drive.py", cfile="made.pyc", doraise=True)


got = loot(
    _sqlite,
    _bytecode,
    lambda: __import__("logging").FileHandler("made.log").emit(None),
    lambda: __import__("dbm.dumb").dumb.open("made", "c") and "dbm",
    lambda: __import__("zipfile").ZipFile("made.zip", "w") and "zip",
    lambda: __import__("shelve").open("made") and "shelve",
    lambda: os.open("made.log", os.O_CREAT | os.O_WRONLY),
    # last: they ask for random bytes, which may end the interpreter
    lambda: __import__("tempfile").NamedTemporaryFile(dir=".", delete=False).name,
    lambda: __import__("tempfile").mkdtemp(dir=OUTSIDE) and None,
)
