"""A simulator that executes the PTX that nvcc makes, one warp of 32 lanes as the unit.

`syntax/` reads PTX, `analysis/` finds facts about it, `generate/` writes LLVM IR, and `engine/` compiles and runs that;
each of these imports those named before it only. `checked/` searches a traced launch, and `counting/` counts in one.
Its `records/` say what they found. It imports no other room of the grader, and knows nothing of matrices.
"""
