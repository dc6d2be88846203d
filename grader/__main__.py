"""The command `grade`, also as `python -m grader`."""

import signal

from grader.host import interpreter


def main() -> None:
    """Run the command. While its modules are loaded, an interrupt ends the process without a traceback."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    interpreter.postpone_garbage_collection()
    from grader.cli import main as command

    command(prog_name="grade")


if __name__ == "__main__":
    main()
