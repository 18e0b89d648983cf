"""The shop: a catalogue with options, reviews, a cart, wish lists, checkout and orders."""
