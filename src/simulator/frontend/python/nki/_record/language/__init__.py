"""The parts of `nki.language` and `nki.collectives` that are not functions of the table."""
