"""Which word is meant? The answer is planted where the data folder says: in texts or in pictures."""
