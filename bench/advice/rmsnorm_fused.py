import neuronxcc.nki as nki
import neuronxcc.nki.isa as nisa
import neuronxcc.nki.language as nl


@nki.jit
def rmsnorm_fused(a_tensor, g_tensor):
    """The squares are added up while they are made."""
    out = nl.ndarray(a_tensor.shape, dtype=a_tensor.dtype, buffer=nl.shared_hbm)
    rows, columns = a_tensor.shape
    gain = nl.load(g_tensor.reshape((1, columns)))
    for i in nl.affine_range(rows // 128):
        tile = nl.load(a_tensor[i * 128 : (i + 1) * 128, :])
        total = nl.ndarray((nl.par_dim(128), 1), dtype=nl.float32, buffer=nl.sbuf)
        nisa.activation_reduce(nl.square, tile, reduce_op=nl.add, reduce_res=total)
        scaled = nl.multiply(tile, nl.rsqrt(total / columns))
        nl.store(out[i * 128 : (i + 1) * 128, :], nl.multiply(scaled, gain.broadcast_to((128, columns))))
    return out
