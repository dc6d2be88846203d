"""Which files a program may open, and how much CPU time it may take: set from outside, before it starts."""
