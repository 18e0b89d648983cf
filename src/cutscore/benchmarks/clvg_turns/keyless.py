"""Nobody guesses a film, and nobody reads a brief well enough to make one: there is no subject without a model here."""
