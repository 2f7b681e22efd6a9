"""`neuronxcc.starfish`: the part of AWS's compiler that kernels' own checks import."""
