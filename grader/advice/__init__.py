"""Why a kernel is slow and what to change: counters, lower bounds of the time, and advice. It decides no points."""
