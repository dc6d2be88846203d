"""LLVM IR from records: no text of a student is ever part of it.

One module for each family of instructions. `layout.py` has the memory that the IR shares with the engine, `ir/` the
functions whose text is fixed.
"""
