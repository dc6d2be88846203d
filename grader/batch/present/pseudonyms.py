"""Pseudonyms for published speeds: the same in every run, and not predictable without the key."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from collections.abc import Iterable

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


def pseudonyms(students: Iterable[str], key: bytes) -> dict[str, str]:
    """Return a unique name for each student. If several would have the same name, digits are added to each."""
    digests = {student: hmac.digest(key, student.encode(), hashlib.sha256) for student in students}
    names = {student: _name(digest) for student, digest in digests.items()}
    often = Counter(names.values())
    return {who: name if often[name] == 1 else f"{name} {digests[who].hex()[-12:]}" for who, name in names.items()}


def _name(digest: bytes) -> str:
    adjective, animal = ADJECTIVES[digest[0] % len(ADJECTIVES)], ANIMALS[digest[1] % len(ANIMALS)]
    return f"{adjective.capitalize()} {animal.capitalize()} {int.from_bytes(digest[2:6]) % 1000:03}"
