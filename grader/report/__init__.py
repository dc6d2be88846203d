"""A report in the formats that every grade is written in. Pure; nothing is judged or scored here."""
