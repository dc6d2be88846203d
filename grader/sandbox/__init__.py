"""Workers and their boxes, as processes or in containers, under limits. Nothing here reads or judges an answer."""
