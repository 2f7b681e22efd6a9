"""From a proxy of a Python function to code of text that imports modules of Node."""

from bait import hidden

(_create_proxy,) = hidden("create_proxy")
got = _create_proxy(print).constructor.constructor("return import('node:fs')")()
