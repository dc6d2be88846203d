"""LLVM IR from records: no text of a student is ever part of it."""
