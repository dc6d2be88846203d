"""What the wrong elements of C say of the mistake: where they lie, and which typical mistake gives their values."""
