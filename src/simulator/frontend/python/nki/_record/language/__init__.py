"""What `nki.language` and `nki.collectives` have beside the functions of the table."""
