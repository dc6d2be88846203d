"""`python -m grader` is the command `grade`."""

from grader.cli import main

if __name__ == "__main__":
    main(prog_name="grade")
