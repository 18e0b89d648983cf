"""What agents did, in numbers."""
