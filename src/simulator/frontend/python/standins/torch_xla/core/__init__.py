"""`torch_xla.core`: only its `xla_model`."""
