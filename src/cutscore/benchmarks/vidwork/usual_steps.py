"""What procedures of a domain usually contain: the answer of somebody who has not seen the clip."""

USUAL_STEPS = {
    "cooking": ("Gather the ingredients", "Prepare and cut them", "Heat the pan", "Cook and stir", "Season", "Serve"),
    "repair": ("Gather the tools", "Open the device", "Remove the broken part", "Insert the new part", "Close", "Test"),
    "first aid": ("Check the scene", "Call for help", "Check the person", "Give first aid", "Wait for help"),
}
