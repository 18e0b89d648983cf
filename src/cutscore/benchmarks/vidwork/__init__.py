"""Five kinds of questions about procedures on video: steps, order, causes, what is only seen, and errors."""
