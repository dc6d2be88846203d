"""The arguments and options that several commands share."""

from __future__ import annotations

from pathlib import Path

import click

from grader.model import Backend

BACKENDS = click.Choice(["auto", *(one.value for one in Backend)])

PATH = click.Path(path_type=Path, readable=False)  # click's error for an unreadable file would not say what to try

FILE = click.argument("file", type=PATH)
RUBRIC = click.option("--rubric", "rubric_path", type=PATH, help="The lab. Default: square.toml.")
BACKEND = click.option("--backend", type=BACKENDS, default="auto", show_default=True, help="Where to run the kernel.")
CONTAINER = click.option(
    "--container", "image", metavar="IMAGE", default="", help="Run student code in fresh containers of IMAGE."
)
DEFINE = click.option(
    "--define", "defines", multiple=True, metavar="NAME=VALUE", help="Value of a macro of FILE, such as BLOCK=32."
)
SEED = click.option(
    "--seed", type=click.IntRange(0, 2**32 - 1), help="Of the inputs, to repeat a grade. Default: a fresh one."
)
