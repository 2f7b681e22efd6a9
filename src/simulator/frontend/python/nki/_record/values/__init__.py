"""Values that tensors have while the kernel is recorded, asked of the host: for control flow and for printing."""
