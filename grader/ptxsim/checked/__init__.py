"""What a launch's trace shows: data races, and reads of memory that was never set.

Pure functions of the trace (`engine/trace.py`); generated code appends to it (`generate/traced_instructions.py`).
`accesses.py` makes a table of single accesses from the events of warps, `turns.py` and `synchronisation.py` know what
orders them, `races.py` finds pairs that nothing orders, `findings.py` makes facts of a pair.
"""
