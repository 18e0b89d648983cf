"""Cases that the stage can draw and sound, each with films whose weaknesses are known."""
