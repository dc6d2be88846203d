"""report.html: one grade as a page that loads nothing but itself. No other format. Pure."""
