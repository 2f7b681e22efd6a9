"""Threads, greenlets and futures that would go on beside the capture."""

from bait import loot


def _thread():
    import _thread

    return _thread.start_new_thread(print, ("@late",))


def _pool():
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(1).submit(int, "7").result(1)


got = loot(
    _thread, _pool, lambda: __import__("greenlet").greenlet(print), lambda: __import__("asyncio").run(__import__("asyncio").sleep(0))
)
