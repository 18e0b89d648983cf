"""Construction: procedures on video → records of them → what can be asked about each record."""
