"""sweep.json: the whole record of a study."""

from __future__ import annotations

from grader.report.json_document import Document
from grader.study.measure.records import Study

SWEEP = Document(Study, "study", "sweep.json", "sweep.schema.json", "Measure it again.")

to_dict = SWEEP.to_dict
write = SWEEP.write
read = SWEEP.read
schema = SWEEP.schema
