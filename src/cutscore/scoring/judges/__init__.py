"""Evidence and questions → opinions with their reasons: who can be asked, and the one way to ask a model."""
