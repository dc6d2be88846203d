"""One file per place where courses keep grades: a report in, that place's own format out. Pure, but for the zip."""
