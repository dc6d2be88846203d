# The one list of commands. `make` alone prints it.
SUBMISSION ?= student_template/matmul.cu
RUBRIC     ?= rubrics/square.toml
OUTPUT     ?= grade-report

PYTHON ?= python3
BIN    := .venv/bin
PYTEST := OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -n 3 --dist worksteal
APART  := browser or container or root or consumers
LOCK   := $(BIN)/uv pip compile -q --universal --python-version 3.11 --no-strip-extras --generate-hashes
# PyCUDA is built from source, so it needs a driver and a toolkit on the machine.
NVCC   := $(or $(shell command -v nvcc),$(wildcard /usr/local/cuda/bin/nvcc))
CUDA   := $(and $(shell command -v nvidia-smi),$(NVCC))
# C++ and CUDA; files that stand for those of students stay as they are.
CXX    = $(shell git ls-files '*.cu' '*.h' '*.cpp' ':!tests/submissions' ':!tests/ptxsim' ':!tests/benchmarks/strangers')
export PATH := $(PATH):/usr/local/cuda/bin
# Hundreds of tests start the command or a worker, which would compile every module again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help grade test test-changed test-all test-fast coverage test-gpu test-browser test-container test-consumers test-environments test-pins lint format types schemas schema-files check clean lock dist
help:        ## print this list
	@sed -n 's/^\([a-z-]*\): .*## /\1\t/p' Makefile | expand -t 20

grade: .venv/ready        ## grade SUBMISSION against RUBRIC; the starter and the square lab by default
	$(BIN)/grade run "$(SUBMISSION)" --rubric "$(RUBRIC)" --output "$(OUTPUT)"

test: .venv/ready        ## run the tests of the grader; those that need a GPU are skipped where there is none
	$(PYTEST) -m "not ($(APART))"

test-changed: .venv/ready        ## run the tests of what differs from the last commit
	@tests=$$($(BIN)/python -m tests.changed) && set -x && $(PYTEST) -m "not ($(APART))" $$tests

test-all: .venv/ready        ## run all tests: those with a browser, a container engine, a small disk or others' programs too
	$(PYTEST)

test-fast: .venv/ready        ## run the quick tests and one grade: under a minute
	$(PYTEST) -m quick --timeout 60 --hypothesis-profile fast

# Of tests in this process only, because what others run is not seen, and tracing lines makes tests half as slow again.
# `make test` runs the same tests with more examples.
coverage: .venv/ready        ## measure what the tests that start no command or kernel cover, against the floor in pyproject.toml
	$(PYTEST) -m "not slow" --cov --hypothesis-profile fast

test-gpu: .venv/ready        ## run the tests that need a GPU
	$(BIN)/python -m pytest -m gpu

test-browser: .venv/ready        ## run the tests that open a page in Chromium
	$(BIN)/python -m pytest -m browser

test-container:        ## run the tests that need a container engine, against the image built for real
	.ci/container

test-pins:        ## grade with the lowest versions that pyproject.toml allows, and with the newest
	.ci/pins lowest
	.ci/pins newest

test-consumers: .venv/ready        ## run programs that read our files or install the grader; needs Node.js
	mkdir -p .venv/consumers
	cp tests/consumers/package.json tests/consumers/package-lock.json .venv/consumers
	npm ci --prefix .venv/consumers --no-audit --no-fund --silent
	$(PYTHON) -m venv .venv/consumers/python
	$(BIN)/uv pip sync --quiet --python .venv/consumers/python/bin/python tests/consumers/requirements.lock
	CONSUMERS_REQUIRED=1 $(BIN)/python -m pytest -m consumers

test-environments:        ## grade on other systems, with other toolkits and compilers (docs/environments.md); needs root
	.ci/environments

check: lint types schemas        ## everything that guards quality besides the tests

lint: .venv/ready        ## rules and formatting of Python, formatting of C++ and CUDA
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	@$(BIN)/clang-format --dry-run -Werror $(CXX)

types: .venv/ready        ## mypy, strict
	$(BIN)/mypy

schemas: .venv/ready        ## what we publish and what others read of us, each against its schema
	$(BIN)/check-jsonschema --check-metaschema grader/schemas/*.json
	$(BIN)/python -m pytest -q -p no:cacheprovider tests/report/test_schemas.py -k generated
	for rubric in rubrics/*.toml; do $(BIN)/grade rubric check $$rubric || exit; done
	$(BIN)/check-jsonschema --builtin-schema vendor.github-actions action.yml
	for schema in vendor.github-workflows custom.github-workflows-require-timeout; do \
		$(BIN)/check-jsonschema --builtin-schema $$schema student_template/.github/workflows/*.yml || exit; done
	$(BIN)/check-jsonschema --builtin-schema vendor.gitlab-ci --data-transform gitlab-ci student_template/.gitlab-ci.yml

schema-files: .venv/ready        ## generate the schemas of report.json and sweep.json from the records
	$(BIN)/python -m tests.schema_files

format: .venv/ready        ## rewrite the code as `make lint` wants it
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i $(CXX)

lock: .venv/ready        ## pin the newest versions that pyproject.toml admits
	$(LOCK) --upgrade --extra batch --extra dev pyproject.toml -o requirements.lock
	$(LOCK) --upgrade --extra cuda pyproject.toml -o requirements-cuda.lock
	$(LOCK) --upgrade -c requirements.lock --extra cuda12 pyproject.toml -o requirements-cuda12.lock
	$(LOCK) -c requirements.lock pyproject.toml -o requirements-run.lock
	$(LOCK) tests/consumers/requirements.in -o tests/consumers/requirements.lock
	echo 'hatchling>=1.26' | $(LOCK) -c requirements.lock - -o requirements-build.lock
	$(LOCK) -c requirements-cuda.lock requirements-toolkit.in -o requirements-toolkit.lock
	$(LOCK) -c requirements.lock -c requirements-toolkit.lock --extra compiler pyproject.toml -o requirements-compiler.lock
	echo 'cuda-toolkit[cccl,crt,cudart,nvcc,nvvm]>=13.3,<14' | \
		$(LOCK) --upgrade -c requirements.lock - -o requirements-compiler-newest.lock

dist: .venv/ready        ## build a wheel in dist/, for pipx install 'FILE[compiler]'
	$(BIN)/uv build --quiet --wheel --no-build-isolation --out-dir dist
	@echo "The newest wheel in dist/ contains the rubrics, the student template, and of the kernels in reference/ only"
	@echo "those that a rubric compares with:"
	@$(BIN)/python -m zipfile --list "$$(ls -t dist/*.whl | head -n 1)" | sed -n 's|^grader/data/\(reference/[^ ]*\.cu\).*|    \1|p'

clean:        ## remove what the other commands made
	rm -rf .venv .cache $(OUTPUT) study .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage*

.venv/ready: pyproject.toml requirements.lock requirements-cuda.lock requirements-cuda12.lock requirements-compiler.lock requirements-compiler-newest.lock
	@$(PYTHON) .ci/environment.py $(if $(NVCC),,--compiler) $(if $(CUDA),--cuda)
	@touch $@
