"""The rules that a call must keep, by row and by semantics. Each says limit and value."""
