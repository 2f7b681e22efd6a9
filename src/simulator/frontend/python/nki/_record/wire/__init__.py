"""The connection to the simulator: requests and replies, the column container, arrays of the host."""
