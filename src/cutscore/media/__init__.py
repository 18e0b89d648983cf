"""Files to pixels and sound, and back: the only code that decodes or encodes."""
