"""Rows and estimates → a static site that opens from disk and from any web server."""
