"""What a file lacks and what is wrong in its LAUNCH line, as sentences with their hints."""

from __future__ import annotations

from grader.model.diagnostics import KernelLack, LaunchFlaw

WORDS = {  # the sentence, and the hint
    LaunchFlaw.MACRO_OF_FIELD: (
        "The macro {name} replaces the field .{name} in LAUNCH.",
        "Give the macro another name.",
    ),
    LaunchFlaw.MACRO_OF_VALUE: (
        "The macro {name} replaces the value {name} of .grid_x in LAUNCH.",
        "Give the macro another name.",
    ),
    LaunchFlaw.NO_FIELD: ("LAUNCH has no field .{name}.", "Its fields are .block, .tile, .shared and .grid_x."),
    LaunchFlaw.TWICE: ("LAUNCH is used twice: first in line {before}.", "Keep one of them."),
    LaunchFlaw.AMBIGUOUS: (
        "{name} in LAUNCH is ambiguous: it is a value of .grid_x, and this file declares it too.",
        "Give your own another name.",
    ),
    LaunchFlaw.SAME_FIELD: ("A field of LAUNCH is given twice.", "Keep one of them."),
    LaunchFlaw.TOO_MANY: (
        "A field of LAUNCH has too many numbers.",
        ".block takes at most three numbers, and .tile two.",
    ),
    LaunchFlaw.DIM3: ("A field of LAUNCH takes numbers, not a dim3.", "Write them in braces: .block = {{16, 16}}."),
    LaunchFlaw.NEGATIVE: ("A number in LAUNCH is negative.", "All of them count something: write 0 or more."),
    LaunchFlaw.FRACTION: ("A number in LAUNCH is not an integer.", "Write it without a fraction."),
    LaunchFlaw.TOO_LARGE: ("A number in LAUNCH has more than 32 bits.", "A block has at most 1024 threads."),
    LaunchFlaw.NO_ORIENTATION: (
        "The value of .grid_x in LAUNCH is neither ROWS nor COLUMNS.",
        "Write .grid_x = ROWS or .grid_x = COLUMNS.",
    ),
    LaunchFlaw.NOT_CONSTANT: (
        "A number in LAUNCH is not a constant.",
        "The compiler must know it: use a macro or a constexpr instead of a variable.",
    ),
}
LACKS = {
    KernelLack.KERNEL: (
        "There is no kernel in the file.",
        'Write a function: extern "C" __global__ void {}(...).',
    ),
    KernelLack.VISIBLE: ("The kernel {} is not visible outside of the file.", 'Declare it extern "C" __global__.'),
    KernelLack.INSTANCE: (
        "The lab launches {}, which the template in the file does not make.",
        "Give the template as many parameters as the lab has arguments, and of their kinds.",
    ),
    KernelLack.ARGUMENTS: (
        "{} is a template, and nothing in the file uses it with arguments.",
        "Launch it in host code, which need not run, or give it the lab's parameters without a template.",
    ),
}
