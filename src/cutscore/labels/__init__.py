"""What people said: files of labels, splits that keep clips together, and what people agree on."""
