"""Why a kernel leaves elements of C as they were. Pure."""

from __future__ import annotations

from grader.explain.wrong_elements.trial import Trial


def never_written(trial: Trial) -> str:
    """Return what a block computes, by LAUNCH or by the rubric, where every wrong element is missing."""
    if trial.uses.numbering or not trial.launch.has_tiles:
        return _of_all_blocks(trial)
    columns, rows = trial.launch.tile
    x, y = ("x", "y") if trial.launch.grid_x == "columns" else ("y", "x")
    part = (
        f"computes the {_tile(columns, 'column')} from blockIdx.{x} * {columns} on and the {_tile(rows, 'row')} from "
        f"blockIdx.{y} * {rows} on: compare row and col with that"
    )
    rows_end = "M" if "M" in trial.interface.parameters else "N"
    last = f"And is the guard row < {rows_end} && col < N?"
    if not trial.uses.launch_of_lab:
        return (
            f"These elements are never written. LAUNCH says that a block {part}, also in the last tiles, which reach "
            f"beyond C. {last}"
        )
    threads = " x ".join(str(number) for number in trial.launch.block if number > 1) or "1"
    return (
        "These elements are never written. The file has no LAUNCH line, so the launch is that of the rubric: a block "
        f"has {threads} threads and {part}, or add a LAUNCH line that says what the kernel needs. {last}"
    )


def _of_all_blocks(trial: Trial) -> str:
    """Return what is launched."""
    sides = trial.launch.grid(trial.case.shape), trial.launch.block
    grid, block = (" x ".join(str(number) for number in each if number > 1) or "1" for each in sides)
    numbering = f" Line {trial.uses.numbering} numbers them." if trial.uses.numbering else ""
    return (
        f"These elements are never written. The launch has {grid} block{'' if grid == '1' else 's'} of {block} "
        f"threads.{numbering} Find the thread that should compute one of these elements, and work out its index."
    )


def _tile(number: int, name: str) -> str:
    return name if number == 1 else f"{number} {name}s"
