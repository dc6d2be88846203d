"""The results folder: its layout, which no other code knows, and which of its results may be kept."""
