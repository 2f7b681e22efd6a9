import neuronxcc.nki as nki
import neuronxcc.nki.isa as nisa
import neuronxcc.nki.language as nl


@nki.jit
def softmax_fused(a_tensor):
    """The exponential shifts by the row's maximum and adds up on its way."""
    out = nl.ndarray(a_tensor.shape, dtype=a_tensor.dtype, buffer=nl.shared_hbm)
    rows, columns = a_tensor.shape
    for i in nl.affine_range(rows // 128):
        tile = nl.load(a_tensor[i * 128 : (i + 1) * 128, :])
        least = nisa.tensor_reduce(nl.max, tile, axis=1, negate=True)
        total = nl.ndarray((nl.par_dim(128), 1), dtype=nl.float32, buffer=nl.sbuf)
        shares = nisa.activation_reduce(nl.exp, tile, bias=least, reduce_op=nl.add, reduce_res=total)
        nl.store(out[i * 128 : (i + 1) * 128, :], nl.divide(shares, total))
    return out
