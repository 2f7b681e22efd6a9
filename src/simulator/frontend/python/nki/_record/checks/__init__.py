"""The rules for calls, by row and by semantics. Each error message names limit and value."""
