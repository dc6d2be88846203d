"""The folder of results: what is in it, and what of it may be kept. The only code that knows its layout."""
