"""Text and numbers: cleaning, shortening, CSV cells. Pure; the formats of reports are not here."""
