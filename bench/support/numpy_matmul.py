"""Times of a float32 matrix product in NumPy, as JSON in milliseconds: whole, and in the tiles of a NeuronCore."""

import json
import statistics
import sys
import time

import numpy as np

K, M, N = 128, 128, 512
RUNS = 7


def tiled(a, b):
    """Return a.T @ b in tiles of [K, M] and [K, N], as the kernel of the bench computes it."""
    out = np.empty((a.shape[1], b.shape[1]), np.float32)
    for m in range(0, out.shape[0], M):
        for n in range(0, out.shape[1], N):
            sums = np.zeros((M, N), np.float32)
            for k in range(0, a.shape[0], K):
                sums += a[k : k + K, m : m + M].T @ b[k : k + K, n : n + N]
            out[m : m + M, n : n + N] = sums
    return out


def milliseconds(act):
    """Median time of a call."""
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        act()
        times.append((time.perf_counter() - start) * 1e3)
    return statistics.median(times)


size = int(sys.argv[1])
left, right = (np.random.default_rng(seed).random((size, size), np.float32) for seed in (0, 1))
print(json.dumps({"whole": milliseconds(lambda: left.T @ right), "tiled": milliseconds(lambda: tiled(left, right))}))
