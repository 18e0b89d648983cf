"""What breaks a clip: the user's options → one defect, the two clips of a task, its brief and its anchors."""
