"""A lab's rubric: loading and checking the file, and scoring a report against it. No kernel is run or judged here."""
