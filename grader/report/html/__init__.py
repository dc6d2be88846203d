"""report.html: one grade on one page that needs nothing but a browser. Pure."""
