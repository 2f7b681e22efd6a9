# Bytecode that loads a constant that the code object has not.
def f():
    return 1


f.__code__ = f.__code__.replace(co_consts=(), co_code=bytes([100, 200, 83, 0]))
f()
