"""A family of tasks that is marked in no time: which word is hidden? Its items say how its verifier misbehaves."""
