"""What all HTML pages share: templates that escape their values, and the style of figures. No page itself."""
