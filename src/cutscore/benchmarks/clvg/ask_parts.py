"""What parts of an ask, and what is handed over, are called: in a module that knows no truth."""

GENERATED = "generated.mp4"
INSTRUCTION, LENGTH = "instruction", "length_s"
SCRIPT_REQUEST = "script_request"  # what a model is told that writes the script; no generator sees it
