"""What a launch does to memory and to the units of a GPU: counted from a traced launch of some blocks, and PTX."""
