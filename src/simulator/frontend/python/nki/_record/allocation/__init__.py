"""New tensors: storage, placement by hand, tiles that are filled when they are first used."""
