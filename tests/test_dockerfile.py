"""The Dockerfile: whatever an image is made of has a version."""

import re

from grader.host.installation import CHECKOUT

TEXT = (CHECKOUT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
COMMANDS = [part.split() for line in re.findall(r"^RUN (.*)", TEXT, re.MULTILINE) for part in line.split("&&")]
INSTALLS = [words for words in COMMANDS if "install" in words]


def test_every_package_of_the_system_has_the_version_that_bookworm_keeps():
    named = [word.strip("'") for words in INSTALLS if words[0] == "apt-get" for word in words[2:] if word[0] != "-"]
    assert named == ["g++=4:12.2.*", "python3=3.11.*", "python3-dev=3.11.*", "python3-venv=3.11.*"]
    assert re.search(r"^ARG DEBIAN=debian:bookworm-\d{8}-slim$", TEXT, re.MULTILINE)


def test_paths_in_the_image_name_the_python_that_is_pinned():
    assert set(re.findall(r"/lib/python([\d.]+)/", TEXT)) == {"3.11"}


def test_every_package_of_python_has_its_hash_or_is_the_grader():
    installs = [words for words in INSTALLS if any(word.endswith("/pip") for word in words)]
    assert len(installs) == 6
    assert all("--require-hashes" in words or words[-2:] == ["--no-deps", "/wheel/*.whl"] for words in installs)
