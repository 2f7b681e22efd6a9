"""`torch_neuronx.xla_impl`: only its `ops`."""
