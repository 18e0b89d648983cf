"""Do on a website what a tutorial video shows, or what it asks you to remember: 2,021 tasks in a real browser."""
