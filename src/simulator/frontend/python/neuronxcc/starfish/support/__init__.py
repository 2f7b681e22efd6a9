"""`neuronxcc.starfish`: of AWS's compiler, only what kernels' own checks import."""
