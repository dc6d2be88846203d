"""A report in the format of each place where courses keep grades. Pure, but for the zip; nothing is computed here."""
