"""Why a kernel leaves elements of C as they were. Pure."""

from __future__ import annotations

from grader.explain.wrong_elements.trial import Trial


def never_written(trial: Trial) -> str:
    """Return what is launched, and what of C each block is for, where every wrong element is missing."""
    sides = trial.launch.grid(trial.case.shape), trial.launch.block
    grid, block = (" x ".join(str(number) for number in each if number > 1) or "1" for each in sides)
    launch = "The file has no LAUNCH line, so the launch is the lab's. " if trial.uses.launch_of_lab else ""
    launch += f"These elements are never written. The launch has {grid} block{'' if grid == '1' else 's'} of {block} "
    last = "Find the thread that should compute one of these elements, and work out its row and column"
    if not trial.launch.has_tiles:
        return f"{launch}threads. {last}."
    columns, rows = trial.launch.tile
    x, y = ("x", "y") if trial.launch.grid_x == "columns" else ("y", "x")
    rows_end = "M" if "M" in trial.interface.parameters else "N"
    return (
        f"{launch}threads, as many as it takes if a block computes {columns} columns from blockIdx.{x} * {columns} on "
        f"and {rows} rows from blockIdx.{y} * {rows} on. {last}. Is the guard row < {rows_end} && col < N?"
    )
