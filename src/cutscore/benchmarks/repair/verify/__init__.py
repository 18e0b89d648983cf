"""What marks a repair: measurements of the output, and how they become a reward."""
