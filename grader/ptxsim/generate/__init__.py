"""Generates LLVM IR from records. The IR never contains text of a student.

One module for each family of instructions. `layout.py` has the memory that the IR shares with the engine, `ir/` the
functions whose text is fixed.
"""
