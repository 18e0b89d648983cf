"""What the keyless reader makes of words and pictures; it knows no item and no truth."""
