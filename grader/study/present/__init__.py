"""Tables, figures and the page of a finished study. Nothing is measured here."""
