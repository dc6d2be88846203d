"""Memory, blocks over processors, and faults of a launch."""
