"""Which function translates which instruction, with which modifiers. `generate/variants.py` explains the tables."""
