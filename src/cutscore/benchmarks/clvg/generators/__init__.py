"""Video generators as files: what each takes in and can make."""
