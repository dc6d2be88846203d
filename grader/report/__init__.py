"""The formats that every grade is written in: JSON, JUnit XML and HTML. Nothing is judged or scored here."""
