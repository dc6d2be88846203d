"""Counters of a launch at one size, from traced blocks at small sizes."""
