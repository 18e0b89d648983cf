"""The home page: a list of the sites."""
