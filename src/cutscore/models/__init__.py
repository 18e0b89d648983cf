"""How a clip enters a model, and the offline scripted model."""
