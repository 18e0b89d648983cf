"""What the reader can do: skills that go by words and pixels alone."""
