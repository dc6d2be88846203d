"""`grade export`: a grade in the format of a learning platform or CI service."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import click

from grader.batch.intake import collect
from grader.batch.intake.source_entry import Submission
from grader.batch.present.gradebook import people
from grader.batch.present.student_summary import StudentResult
from grader.batch.results import class_folder, student_folder
from grader.cli.console import exit_on_error, say, write, write_into_new
from grader.cli.export_gradebook import ATTEMPT, RESULTS, canvas_command, moodle_command
from grader.cli.options import ALLOW_UNCONFINED, OUTPUT_FILE, PATH, REPORT, RUBRIC
from grader.errors import UsageError
from grader.export import classroom50, gradescope, gradescope_zip, mail_merge, similarity
from grader.export.formats import FORMATS, Format
from grader.export.gradescope import DEFAULT, DisplayOptions, Visibility
from grader.host.atomic_write import write_bytes
from grader.judge import submission
from grader.report.json_document import read_for_students
from grader.rubric.visible import for_students
from grader.text.clean import one_line

LONGEST_PATH = 1000
USAGE = "grade export gradescope REPORT, or grade export gradescope --zip FILE --rubric RUBRIC."
WHEN = click.Choice([when.value for when in Visibility])


@click.group(invoke_without_command=True)
@click.option("--list", "list_them", is_flag=True, help="List every format.")
@click.pass_context
def export(context: click.Context, list_them: bool) -> None:
    """Convert a grade for a learning platform or CI service.

    Nothing is sent anywhere.
    """
    if list_them or context.invoked_subcommand is None:
        for name, command in sorted(export.commands.items()):
            say(f"{name:<20}{(command.help or '').splitlines()[0].rstrip('.')}")
        context.exit()


def _command(format: Format) -> click.Command:  # noqa: A002 - a format it is
    """Return the command of a format that needs nothing but a report."""

    @click.command(format.name, help=f"{format.summary}.")
    @REPORT
    @click.option("--source", help="Path of the submission in its repository.  [default: its file name]")
    @OUTPUT_FILE
    def command(report: Path, source: str | None, output: Path | None) -> None:
        with exit_on_error():
            record = read_for_students(report)
            path = one_line(source or record.source.name, LONGEST_PATH)  # a file name may contain any bytes
            write(format.render(record, path), output)

    return command


@export.command("classroom50")
@REPORT
@OUTPUT_FILE
@click.option("--classroom", envvar="CLASSROOM", required=True, help="Short name of the classroom.")
@click.option("--assignment", envvar="ASSIGNMENT", required=True, help="Short name of the assignment.")
@click.option("--submission", envvar="SUBMISSION_TAG", required=True, help="Git tag of the submission.")
@click.option("--commit", envvar="COMMIT_URL", required=True, help="URL of the commit.")
@click.option("--release", envvar="RELEASE_URL", required=True, help="URL of the release.")
@click.option("--review", envvar="REVIEW_URL", help="URL of the diff to review.  [default: URL of the commit]")
@click.option("--datetime", required=True, help="Time of submission, as `git log -1 --format=%cI` prints it.")
@click.option("--owner", envvar="OWNER", default="", help="Owner of the repository.")
@click.option("--assignment-type", envvar="ASSIGNMENT_TYPE", default="", help="individual, group or team.")
def classroom50_command(report: Path, output: Path | None, review: str | None, **fields: str) -> None:
    """Classroom 50: result.json.

    The autograding workflow sets most options as environment variables.
    """
    with exit_on_error():
        described = fields | {"review": review or fields["commit"]}
        write(classroom50.render(read_for_students(report), described), output)


@click.command("gradescope")
@click.argument("report", type=PATH, required=False)
@OUTPUT_FILE
@click.option("--zip", "zip_path", type=PATH, help="Write the zip of an autograder to this file, and no results.json.")
@RUBRIC
@click.option("--visibility", type=WHEN, default=DEFAULT.visibility.value, show_default=True,
              help="When students see the tests and the explanation.")  # fmt: skip
@click.option("--stdout-visibility", type=WHEN, default=DEFAULT.stdout_visibility.value, show_default=True,
              help="When students see what the autograder printed.")  # fmt: skip
@ALLOW_UNCONFINED
@click.option("--leaderboard/--no-leaderboard", default=None,
              help="Show a leaderboard of correct, timed kernels.  [default: only if tests are visible]")  # fmt: skip
def gradescope_command(
    report: Path | None, output: Path | None, zip_path: Path | None, rubric_path: Path,
    allow_unconfined: bool, visibility: str, stdout_visibility: str, leaderboard: bool | None,
) -> None:  # fmt: skip
    """Gradescope: results.json, or an autograder (--zip).

    With --zip, the rubric given by --rubric becomes part of the autograder.
    """
    with exit_on_error():
        if (report is None) == (zip_path is None):
            raise UsageError("Give either REPORT or --zip FILE.", USAGE)
        display = DisplayOptions(Visibility(visibility), Visibility(stdout_visibility), leaderboard)
        if report is not None:
            write(gradescope.render(read_for_students(report), display), output)
        elif zip_path is not None:
            path = zip_path / "autograder.zip" if zip_path.is_dir() else zip_path
            write_bytes(path, gradescope_zip.build(rubric_path, display, allow_unconfined=allow_unconfined))
            say(f"{path}: upload it to Gradescope, under Configure Autograder.")


@click.command("similarity")
@click.argument("sources", type=PATH, nargs=-1, required=True)
@click.option("--starter", type=PATH, help="File that every student was given; it does not count as similar.")
@click.option("--output", type=PATH, default=Path("similarity"), show_default=True, help="New folder to write.")
def similarity_command(sources: tuple[Path, ...], starter: Path | None, output: Path) -> None:
    """JPlag and copydetect: a folder of all submissions.

    SOURCES are those of `grade batch`. Save the result of the program in the results folder, as similarity.html or
    similarity.jplag, and the class page links to it.
    """
    with exit_on_error():
        given = (starter.name, submission.read(starter)) if starter else None
        everyone = collect.collect(*sources)
        students = [student for student in everyone if student.content]
        files = similarity.layout(((each.student, each.file, each.content) for each in students), given)
        write_into_new(output, files)
        if without := ", ".join(student.source_name for student in everyone if not student.content):
            say(f"Without a file to compare: {without}.")
        jplag, copydetect = similarity.commands(starter=bool(given))
        say(f"{len(students)} files are in {output}. There, run one of")
        say(f"    {jplag}")
        say(f"    {copydetect}")


@click.command("feedback")
@RESULTS
@ATTEMPT
@click.option("--output", type=PATH, default=Path("feedback"), show_default=True, help="New folder to write.")
def feedback_command(results: Path, attempt: str, output: Path) -> None:
    """Feedback: a file for each student, and a CSV.

    RESULTS is the results folder of `grade batch`. Names, e-mail addresses and lateness are those of its gradebook.
    """
    with exit_on_error():
        students = list(_students(results, attempt))
        write_into_new(output, {path: text.encode() for path, text in mail_merge.layout(students).items()})
        say(f"Feedback for {len(students)} students: {output / mail_merge.TABLE} and {output / mail_merge.FOLDER}")


def _students(results: Path, attempt: str) -> Iterator[StudentResult]:
    """Yield each student with a report, or with a reason why there is nothing to grade."""
    now = datetime.now(UTC)
    best = attempt == "best"  # by the points that students see, because the choice could reveal results at hidden sizes
    reports = (
        class_folder.best_reports(results, lambda report: for_students(report, now))
        if best
        else class_folder.read_reports(results)
    )
    known = people(class_folder.read_gradebook(results))
    for student in class_folder.students(results):
        who, report = known.get(student, Submission(student)), reports.get(student)
        problem = "" if report else student_folder.read_reason(class_folder.folder_of(student, results))
        if report or problem:
            shown = report and for_students(report, now)
            yield StudentResult(replace(who, problem=problem), shown)


FOR_CLASSES = (canvas_command, moodle_command, feedback_command, similarity_command)
for command in (*map(_command, FORMATS), gradescope_command, *FOR_CLASSES):
    export.add_command(command)
