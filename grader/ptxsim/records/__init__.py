"""What the trace of a launch shows, as facts: records that import nothing."""
