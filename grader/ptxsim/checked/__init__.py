"""Errors that the trace of a launch shows: data races, and reads of memory that was never set.

The functions are pure functions of the trace (`engine/trace.py`), which generated code writes
(`generate/traced_instructions.py`). `accesses.py` makes a table of accesses by single threads from the events of warps,
`epochs.py` and `synchronisation.py` compute what orders these, `race_search.py` finds pairs that are not ordered, and
`findings.py` turns a pair into a record.
"""
