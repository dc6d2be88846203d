"""From a submission to verdicts: compile it, run it in workers, judge every answer. No wording of a mistake is here."""
