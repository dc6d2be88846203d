"""What all HTML pages share: templates that escape what they show, and one style of figures. No page itself."""
