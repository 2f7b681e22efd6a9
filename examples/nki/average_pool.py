"""2D average pooling: an access pattern groups the window, nothing is copied."""

import numpy as np

import nki
import nki.isa as nisa
import nki.language as nl


@nki.jit
def average_pool(x, window):
    """Average non-overlapping square windows.

    Args:
        x: [channels, height, width], at most 128 channels; height and width multiples of `window`.
        window: side of the window.
    """
    channels, height, width = x.shape
    out_height, out_width = height // window, width // window
    out = nl.ndarray((channels, out_height, out_width), dtype=x.dtype, buffer=nl.shared_hbm)

    tile = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.sbuf)
    nisa.dma_copy(dst=tile, src=x)
    windows = tile.ap(
        [
            [height * width, channels],
            [window * width, out_height],
            [window, out_width],
            [width, window],
            [1, window],
        ]
    )
    total = nl.ndarray((channels, out_height, out_width), dtype=nl.float32, buffer=nl.sbuf)
    nisa.tensor_reduce(dst=total, op=nl.add, data=windows, axis=[3, 4])
    result = nl.ndarray((channels, out_height, out_width), dtype=x.dtype, buffer=nl.sbuf)
    nisa.tensor_scalar(dst=result, data=total, op0=nl.multiply, operand0=1.0 / (window * window))
    nisa.dma_copy(dst=out, src=result)
    return out


if __name__ == "__main__":
    x = np.random.RandomState(0).rand(64, 48, 48).astype(np.float32)
    reference = x.reshape(64, 16, 3, 16, 3).mean(axis=(2, 4))
    assert np.allclose(average_pool(x, 3), reference, rtol=1e-5)
    print("average_pool: agrees with NumPy")
