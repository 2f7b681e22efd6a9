# Bytecode of operations that no compiler emits.
def f():
    pass


c = f.__code__.replace(co_code=bytes([255, 255] * 50))
exec(c)
