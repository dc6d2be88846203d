"""Text and numbers for people and programs: cleaning, wording, cells. Pure; no format of a report."""
