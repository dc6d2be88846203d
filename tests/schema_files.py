"""The published schemas of report.json and sweep.json, generated from the records: `make schema-files` writes them."""

import json
from dataclasses import is_dataclass
from pathlib import Path
from typing import ClassVar

from pydantic import ConfigDict, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

import grader
from grader import model
from grader.contract.timing_messages import Transfer
from grader.model.fields import ADDED_LATER
from grader.report.json_document import FORMAT
from grader.study.measure import records

FOLDER = Path(grader.__file__).parent / "schemas"
FORMER = {  # fields by record that are no longer written, but that older reports have
    "Counters": {"sass": {"description": "Instructions of the machine code.", "default": None, "deprecated": True}},
    "Fault": {
        "race": {"description": "The two accesses of a data race, in words.", "default": None, "deprecated": True}
    },
    "Scene": {
        "stored_again": {"description": "Where a thread stores an element again.", "default": None, "deprecated": True},
        "shadows": {"description": "Variables of which there are two.", "default": [], "deprecated": True},
        "used": {"description": "How many elements of an array were in use.", "default": 0, "deprecated": True},
    },
    "Story": {
        "at_hand": {"description": "A line that loads the right element.", "default": 0, "deprecated": True},
        "left": {"description": "An array that the thread of the scene leaves.", "default": None, "deprecated": True},
        "is_idle": {"description": "Whether the scene is of an idle block.", "default": False, "deprecated": True},
        "zero_line": {"description": "A line that stored a zero.", "default": 0, "deprecated": True},
    },
    "Term": {
        "is_subtracted": {"description": "Whether it is subtracted.", "default": False, "deprecated": True},
    },
}
CONFIG = ConfigDict(use_attribute_docstrings=True, extra="forbid")


class Reports(GenerateJsonSchema):
    """Floats that JSON has no number for are one of three texts; only fields that were added later have defaults."""

    NUMBER: ClassVar[JsonSchemaValue] = {"type": ["number", "string"], "pattern": "^(nan|-?inf)$"}

    def float_schema(self, _: core_schema.FloatSchema) -> JsonSchemaValue:
        return dict(self.NUMBER)

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        made = self.generate_inner(schema["schema"])
        if made.pop(ADDED_LATER.name, False):
            made["default"] = self.encode_default(schema["default"])
        return made

    def field_title_should_be_set(self, _: object) -> bool:
        return False


class Studies(Reports):
    """Measured values of a study are finite and not negative."""

    NUMBER: ClassVar[JsonSchemaValue] = {"type": "number", "minimum": 0}


def report() -> JsonSchemaValue:
    return _schema(model.Report, Reports, "urn:matmul-grader:report:1", "Report of a graded submission")


def sweep() -> JsonSchemaValue:
    return _schema(records.Study, Studies, "urn:matmul-grader:sweep:1", "Study of kernels")


def text(schema: JsonSchemaValue) -> str:
    return json.dumps(schema, indent=2) + "\n"


def _schema(record: type, generator: type[Reports], name: str, title: str) -> JsonSchemaValue:
    for each in (*vars(model).values(), *vars(records).values(), Transfer):
        if is_dataclass(each) and each is not ADDED_LATER:
            each.__pydantic_config__ = CONFIG
    made = TypeAdapter(record).json_schema(mode="serialization", schema_generator=generator)
    version = {"description": "Version of this format.", "const": FORMAT}
    made["properties"] = {"format": version, **made["properties"]}
    tables = made.pop("$defs")
    for record_name in FORMER.keys() & tables.keys():
        tables[record_name]["properties"] |= FORMER[record_name]
    for table in (made, *tables.values()):
        if fields := table.get("properties"):
            table["required"] = [field for field, form in fields.items() if "default" not in form]
    return {"$schema": GenerateJsonSchema.schema_dialect, "$id": name, **made, "title": title, "$defs": tables}


if __name__ == "__main__":
    (FOLDER / "report.schema.json").write_text(text(report()), encoding="utf-8")
    (FOLDER / "sweep.schema.json").write_text(text(sweep()), encoding="utf-8")
