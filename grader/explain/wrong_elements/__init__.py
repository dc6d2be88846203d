"""What the wrong elements of C say of the mistake: where they lie, and what they have instead of numbers."""
