"""Types of fields about which the published schemas say more than Python's types do."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

Schema = dict[str, object]


@dataclass(frozen=True, eq=False)
class Keyword:
    """A keyword of JSON Schema that holds for a type. Pydantic, which generates the schemas, calls the method."""

    name: str
    value: object

    def __get_pydantic_json_schema__(self, core: object, generate: Callable[[object], Schema]) -> Schema:
        return {**generate(core), self.name: self.value}


ADDED_LATER = Keyword("added later", True)  # of a field that older reports lack: the schema then has its default
Positive = Annotated[int, Keyword("minimum", 1)]
Count = Annotated[int, Keyword("minimum", 0)]
Line = Annotated[int, Keyword("minimum", 0), Keyword("maximum", 10**9)]  # of a source; 0 where none is known
ElementType = Annotated[str, Keyword("enum", ["float16", "bfloat16", "float32", "float64", "int8", "uint8", "int32"])]
Sha256 = Annotated[str, Keyword("pattern", "^([0-9a-f]{64})?$")]  # empty where nothing was hashed
