"""Inside AWS's compiler: names that its own kernels annotate with."""
