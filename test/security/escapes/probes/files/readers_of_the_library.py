"""Modules of the standard library that open paths by themselves."""

import linecache
import tokenize

from bait import HOME, OUTSIDE, loot

_SECRET = OUTSIDE + "/secret.txt"


def _sqlite():
    import sqlite3

    base = sqlite3.connect(":memory:")
    base.enable_load_extension(True)
    base.execute("ATTACH ? AS other", (_SECRET,))
    return base.execute("SELECT name FROM other.sqlite_master").fetchall()


def _zip():
    import zipimport

    return zipimport.zipimporter(OUTSIDE + "/archive.zip").get_data("secret.txt")


got = loot(
    lambda: linecache.getlines(_SECRET),
    lambda: tokenize.open(_SECRET).read(),
    _sqlite,
    _zip,
    lambda: __import__("fileinput").input([_SECRET]).readline(),
    lambda: __import__("mmap").mmap(__import__("os").open(_SECRET, 0), 0, prot=1).read(),
    lambda: __import__("netrc").netrc(HOME + "/.secret"),
    lambda: __import__("shutil").copy(_SECRET, "/tmp/copied"),
    lambda: __import__("glob").glob(OUTSIDE + "/*"),
    lambda: __import__("runpy").run_path(OUTSIDE + "/module.py"),
    lambda: __import__("tarfile").open(OUTSIDE + "/archive.zip"),
    lambda: __import__("curses.textpad"),
)
