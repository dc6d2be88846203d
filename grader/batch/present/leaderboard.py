"""leaderboard.html: speeds under pseudonyms, for publication. Pure."""

import hashlib
import hmac
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from grader.batch.present.page_template import Cell, page, speed_cells
from grader.batch.present.student_summary import StudentResult
from grader.model import Verdict
from grader.text.clean import one_line
from grader.text.remarks import hidden_note

ADJECTIVES = (  # noqa: SIM905 - words are read more easily than strings
    "able agile amber bold brave bright brisk calm clever cosy crisp daring deft eager early fair fleet fond frank "
    "gentle glad golden grand happy hardy honest humble jolly keen kind lively loyal lucky mellow merry mighty mild "
    "modest neat nimble noble patient plucky polite proud quick quiet rapid ready robust serene sharp silver sleek "
    "smart snowy spry steady sunny swift tidy vivid warm wise"
).split()
ANIMALS = (  # noqa: SIM905 - as above
    "albatross alpaca antelope badger beaver bison buffalo camel caribou cheetah chough condor cormorant coyote crane "
    "curlew dolphin dormouse eagle egret falcon ferret finch fox gannet gazelle gecko gibbon heron hoopoe ibex ibis "
    "jackdaw jaguar kestrel kingfisher koala lapwing lark lemur leopard linnet lynx magpie marmot marten nuthatch "
    "ocelot orca osprey otter owl panda penguin petrel plover puffin puma raven robin seal sparrow stork swallow"
).split()


@dataclass(frozen=True, slots=True)
class LeaderboardEntry:
    """One row. Equal speeds have the same `number`."""

    number: int
    name: str
    cells: tuple[Cell, ...]


def leaderboard(rows: Sequence[StudentResult], names: Mapping[str, str]) -> str:
    """Return the page, which has speeds, GPUs and pseudonyms only. `names` are the pseudonyms by student."""
    reports = [row.report for row in rows if row.report]
    sizes = [size for report in reports if (size := report.rubric.largest_timed)]
    return page(
        "leaderboard.html",
        title=one_line(reports[0].rubric.title, 120) if reports else "Class",
        size=str(sizes[0]) if sizes else "",
        more_sizes=hidden_note(reports[0].rubric) if reports else "",
        machines=sorted({one_line(report.machine.device, 80) for report in reports if report.measurements} - {""}),
        places=ranking(rows, names),
    )


def ranking(rows: Sequence[StudentResult], names: Mapping[str, str]) -> list[LeaderboardEntry]:
    """Return an entry for each correct kernel with a speed, fastest first."""
    ranked = [(row.gflops, row) for row in rows if row.verdict is Verdict.OK and row.gflops is not None]
    ranked.sort(key=lambda each: (-each[0], names[each[1].student]))
    return [
        LeaderboardEntry(1 + sum(other > speed for other, _ in ranked), names[row.student], speed_cells(row))
        for speed, row in ranked
    ]


def pseudonyms(students: Iterable[str], key: bytes) -> dict[str, str]:
    """Return a unique name for each student. If several would have the same name, digits are added to each."""
    digests = {student: hmac.digest(key, student.encode(), hashlib.sha256) for student in students}
    names = {student: _name(digest) for student, digest in digests.items()}
    often = Counter(names.values())
    return {who: name if often[name] == 1 else f"{name} {digests[who].hex()[-12:]}" for who, name in names.items()}


def _name(digest: bytes) -> str:
    adjective, animal = ADJECTIVES[digest[0] % len(ADJECTIVES)], ANIMALS[digest[1] % len(ANIMALS)]
    return f"{adjective.capitalize()} {animal.capitalize()} {int.from_bytes(digest[2:6]) % 1000:03}"
