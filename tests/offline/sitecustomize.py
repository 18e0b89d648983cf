"""Python imports this at start when its folder is on PYTHONPATH: so children of tests have no network either."""

import no_network

no_network.block()
