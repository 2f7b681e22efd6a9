"""From a call's arguments to an instruction: attributes, shapes, masks, plans, and the functions made from the table."""
