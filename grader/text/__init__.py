"""Text and numbers for people and programs: cleaning, wording, cells, identifiers. Pure; no format of a report."""
