"""What C should be, and how far the C of a launch is from it: numbers only, whatever the source."""
