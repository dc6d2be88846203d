"""From a submission to verdicts: compile, check every answer, explain what is wrong. Student code never runs here."""
