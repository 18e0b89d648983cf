"""The map: an island with a town and villages, places to search for, and the quickest way from one to another."""
