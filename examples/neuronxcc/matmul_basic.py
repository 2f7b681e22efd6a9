"""One matmul in the legacy dialect, its tiles indexed with nl.mgrid."""

import numpy as np

import neuronxcc.nki as nki
import neuronxcc.nki.language as nl


@nki.jit
def matmul_basic(lhs_t, rhs):
    """Return lhs_t.T @ rhs for lhs_t of [128, M] (M up to 128) and rhs of [128, N] (N up to 512)."""
    k_size, m_size = lhs_t.shape
    n_size = rhs.shape[1]
    out = nl.ndarray((m_size, n_size), dtype=lhs_t.dtype, buffer=nl.shared_hbm)
    lk, lm = nl.mgrid[0:k_size, 0:m_size]
    rk, rn = nl.mgrid[0:k_size, 0:n_size]
    om, on = nl.mgrid[0:m_size, 0:n_size]
    left = nl.load(lhs_t[lk, lm])
    right = nl.load(rhs[rk, rn])
    product = nl.matmul(left, right, transpose_x=True)
    nl.store(out[om, on], value=nl.copy(product, dtype=out.dtype))
    return out


if __name__ == "__main__":
    rng = np.random.RandomState(0)
    lhs_t = rng.rand(128, 64).astype(np.float32)
    rhs = rng.rand(128, 512).astype(np.float32)
    assert np.allclose(matmul_basic(lhs_t, rhs), lhs_t.T @ rhs, rtol=1e-5)
    print("matmul_basic: agrees with NumPy")
