#!/usr/bin/env python3
"""Check the subjects of commits: imperative, at most 72 characters, a capital letter first, no full stop.

Usage: commit_subject.py FILE    the message in FILE, as git's commit-msg hook
       commit_subject.py         the commits of this branch that main does not have
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

LONGEST = 72
# A subject that begins with one of these has its verb later, and so not in the imperative: "A worker gets ...".
NO_VERB = re.compile(
    "an?|the|th(is|at|ese|ose)|its?|one|two|each|every|all|some|any|not?|only|we|our|you|i|there|when|where|what|who|which|"
    "why|how|for|from|with|without|in|on|at|by|to|as|if|now|more|new|old|tests|docs"
)
# "Added", "Adding" and "Adds" are no imperatives, though a few imperatives end in the same letters.
INFLECTED = re.compile("(?!(bias|bring|embed|exceed|feed|focus|need|proceed|seed|shed|speed)$).*(ed|ing|[^s]s)")


def complaint(subject: str) -> str:
    """Return what is wrong with a subject, or nothing."""
    first = re.split(r"\W", subject, maxsplit=1)[0].lower()
    if len(subject) > LONGEST:
        return f"has {len(subject)} characters; {LONGEST} are the most"
    if not subject[:1].isupper() or subject.endswith("."):
        return "must begin with a capital letter and end without a full stop"
    if re.match(r"\w+:", subject):
        return "must begin with a verb, not with a prefix"
    if NO_VERB.fullmatch(first) or INFLECTED.fullmatch(first):
        return f"must begin with a verb in the imperative, such as Add or Remove, not with {first!r}"
    return ""


def new_subjects() -> list[str]:
    """Return the subjects that main does not have yet, merges aside; none where main is not known."""
    for main in ("origin/main", "main"):
        command = ["git", "log", "--no-merges", "--format=%s", f"{main}..HEAD", "--"]
        ended = subprocess.run(command, capture_output=True, text=True, check=False)
        if ended.returncode == 0:
            return ended.stdout.splitlines()
    return []


def main(arguments: list[str]) -> int:
    """Print what is wrong and return the exit status."""
    subjects = [Path(arguments[0]).read_text(encoding="utf-8").partition("\n")[0]] if arguments else new_subjects()
    wrong = [f"{subject}\n    This subject {why}." for subject in subjects if (why := complaint(subject))]
    print("\n".join(wrong), end="\n" if wrong else "", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
