"""The results folder: its layout, which no other code knows, and which earlier results remain valid."""
