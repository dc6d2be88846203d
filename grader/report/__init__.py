"""One file per format of a report."""
