"""`neuronxcc.nki._private`: inside AWS's compiler."""
