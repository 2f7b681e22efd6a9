"""From any JavaScript function to the constructor that makes functions of text."""

from bait import hidden

(_to_js,) = hidden("to_js")
got = _to_js([1]).constructor.constructor("return globalThis")()
