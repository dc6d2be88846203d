"""A finished study as tables, figures and a page. Nothing is measured here."""
