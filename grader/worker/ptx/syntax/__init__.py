"""PTX text to frozen records (PTX ISA, "Syntax" and "Directives")."""
