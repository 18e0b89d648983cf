"""What marks an assembly: the clips that were chosen, and those that the film shows."""
