"""What makes items: storyboards of a film, and for each slot clips that differ in one dimension."""
