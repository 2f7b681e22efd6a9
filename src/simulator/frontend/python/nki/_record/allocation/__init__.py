"""New tensors: storage, manual placement, tiles that are filled at their first use."""
