"""JSON in few lines, for golden files that people read."""

import json
from typing import Any

WIDTH = 120


def folded(values: Any, indent: str = "") -> str:
    """A value on one line if it fits, else its members, as many on a line as fit; an only member begins no line."""
    line = json.dumps(values, ensure_ascii=False)
    if len(indent + line) <= WIDTH or not isinstance(values, dict | list):
        return line
    deeper = indent if len(values) == 1 else indent + "  "
    if isinstance(values, list):
        begin, end, members = "[", "]", [folded(value, deeper) for value in values]
    else:
        begin, end = "{", "}"
        members = [f"{json.dumps(name)}: {folded(value, deeper)}" for name, value in values.items()]
    if len(values) == 1:
        return begin + members[0] + end
    return "\n".join([begin, *_filled(members, deeper), indent + end])


def _filled(members: list[str], indent: str) -> list[str]:
    lines = [indent + members[0]]
    for member in members[1:]:
        if "\n" not in lines[-1] + member and len(lines[-1]) + len(member) + len(", ,") <= WIDTH:
            lines[-1] += f", {member}"
        else:
            lines[-1] += ","
            lines.append(indent + member)
    return lines
