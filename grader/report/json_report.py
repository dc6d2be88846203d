"""report.json: the whole record of a grade."""

from __future__ import annotations

from grader.model import Report
from grader.report.json_document import Document

REPORT = Document(Report, "report", "report.json", "report.schema.json", "Grade the submission again.")

to_dict = REPORT.to_dict
from_dict = REPORT.from_dict
from_text = REPORT.from_text
render = REPORT.render
write = REPORT.write
read = REPORT.read
schema = REPORT.schema
