"""How far is a judge to be trusted? Its answers beside those of people, and beside its own on changed inputs."""
