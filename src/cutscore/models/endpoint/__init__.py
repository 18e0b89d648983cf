"""A model at an address: what agents that speak HTTP talk to, on a unix socket, in four wires."""
