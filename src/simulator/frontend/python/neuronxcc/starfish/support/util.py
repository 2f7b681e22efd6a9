"""`neuronxcc.starfish.support.util`: the comparison that AWS's kernels check themselves with."""


def allclose(a, b, rtol=1e-5, atol=1e-8, **options):
    """`numpy.allclose`. AWS's additional options (such as `verbose`) have no effect here."""
    import numpy

    return numpy.allclose(numpy.asarray(a, dtype="float32"), numpy.asarray(b, dtype="float32"), rtol=rtol, atol=atol)
