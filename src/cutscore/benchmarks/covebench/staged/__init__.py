"""Tasks on footage of our own: scenes and edits as data, so that every edit can be filmed, left out, and measured."""
