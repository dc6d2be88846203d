"""Which files a program may open, and how much processor time it may take: set from outside, before it starts."""
