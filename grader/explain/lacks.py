"""What the simulator lacks, in the words that complete "The simulator does not support"."""

from __future__ import annotations

from grader.model.findings import NotSupported
from grader.ptxsim.records.lacks import Lack

WORDS = {
    Lack.INSTRUCTION: "{name}",
    Lack.NO_INSTRUCTION: "an instruction",
    Lack.OPERAND: "an operand of {of}",
    Lack.OPERANDS: "the operands of {of}",
    Lack.SIZE: "a size of {of}",
    Lack.ADDRESS: "an address of {of}",
    Lack.ADDRESS_OF_PARAMETER: "an address outside of the parameters of {of}",
    Lack.BARRIER_OF_LANES: "a barrier whose number differs between the lanes of a warp of {of}",
    Lack.SPECIAL_REGISTER: "%{name} of {of}",
    Lack.REGISTER_OF_VALUES: "a register of several values",
    Lack.DIRECTIVE: "the directive {name}",
    Lack.NO_DIRECTIVE: "a directive of the PTX",
    Lack.CALL: "a call",
    Lack.CALL_OF: "a call of {name}",
    Lack.CALL_WITHOUT_BODY: "a call of a function without a body",
    Lack.MANY_CALLS: "a kernel with this many calls of device functions",
    Lack.RECURSIVE_ACCESS: "this access to a local array of a recursive function",
    Lack.RECURSIVE_REGISTERS: "a recursive function with registers of 128 bits",
    Lack.LABEL: "a branch to a label that does not exist",
    Lack.CLUSTERS: "clusters of {number} blocks",
    Lack.DIVERGENCE: "lanes of a warp that diverge in this way",
    Lack.CODE: "a kernel with this much code",
    Lack.REGISTERS: "a function of {number} registers",
    Lack.REGISTERS_AND_LOCAL: "this many registers and bytes of local memory",
    Lack.LOCAL: "this many bytes of local memory",
    Lack.SHARED: "this many bytes of shared memory",
    Lack.VARIABLES: "this many bytes of variables",
    Lack.ARGUMENT: "an argument of this many bytes",
    Lack.VARIABLE: "a variable of {number} bytes",
    Lack.TYPE_OF_VARIABLE: "a variable of the type {name}",
    Lack.PART_OF_ADDRESS: "a part of an address as an initial value",
    Lack.PROGRAM: "a compiled program of {number} bytes, more than {name}",
    Lack.PART: "a part of the PTX that nvcc makes of this file",
}


def lacking(found: NotSupported) -> str:
    """Return what is lacking in words; of an operand that is not read, what is wrong there."""
    words = WORDS[found.lack]
    text = words.format(name=found.name, of=found.of, number=found.number)
    return f"an operand of {found.of} in {text}" if found.of and "{of}" not in words else text
