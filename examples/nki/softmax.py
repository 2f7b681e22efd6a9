"""Row softmax: VectorE finds the maximum, ScalarE takes exp and its sum in one instruction."""

import numpy as np

import nki
import nki.isa as nisa
import nki.language as nl


@nki.jit
def softmax(x):
    """Return the softmax of each row of x, [rows, columns], rows a multiple of 128."""
    rows, columns = x.shape
    pmax = nl.tile_size.pmax
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    for i in range(rows // pmax):
        tile = nl.ndarray((pmax, columns), dtype=x.dtype, buffer=nl.sbuf)
        nisa.dma_copy(dst=tile, src=x[nl.ds(i * pmax, pmax), :])

        negative_max = nl.ndarray((pmax, 1), dtype=nl.float32, buffer=nl.sbuf)
        nisa.tensor_reduce(dst=negative_max, op=nl.maximum, data=tile, axis=1, negate=True)

        exponent = nl.ndarray((pmax, columns), dtype=nl.float32, buffer=nl.sbuf)
        total = nl.ndarray((pmax, 1), dtype=nl.float32, buffer=nl.sbuf)
        nisa.activation_reduce(dst=exponent, op=nl.exp, data=tile, bias=negative_max, reduce_op=nl.add, reduce_res=total)

        scale = nl.ndarray((pmax, 1), dtype=nl.float32, buffer=nl.sbuf)
        nisa.reciprocal(dst=scale, data=total)
        result = nl.ndarray((pmax, columns), dtype=x.dtype, buffer=nl.sbuf)
        nisa.tensor_scalar(dst=result, data=exponent, op0=nl.multiply, operand0=scale)
        nisa.dma_copy(dst=out[nl.ds(i * pmax, pmax), :], src=result)
    return out


if __name__ == "__main__":
    x = np.random.RandomState(0).randn(512, 2048).astype(np.float32)
    e = np.exp(x - np.max(x, axis=1, keepdims=True))
    assert np.allclose(softmax(x), e / np.sum(e, axis=1, keepdims=True), rtol=1e-5)
    print("softmax: agrees with NumPy")
