"""`nki.compiler`: only the names of `kernel_builder` are public in today's dialect."""
