"""PTX text to frozen records (PTX ISA, "Syntax" and "Directives"), and the errors of text that is not supported."""
