"""Real pages in the system's Chromium: sessions, actions, observations and reads. Knows no benchmark and no truth."""
