# Every command a developer needs. `make` alone prints them.
PYTHON ?= python3.11
MINUTES ?= 30
# Two cores: tests wait a quarter of their time, and a third worker fills it.
TEST_WORKERS ?= 3
EXTRAS := server dev otel tournament dask
BIN := .venv/bin
V1 := service/guncamera/v1
PROTOS := $(sort $(wildcard proto/guncamera/v1/*.proto))
SOURCES := service clients tests loadtests
# Settings of a service in the caller's environment must not leak into tests.
CLEAN_ENV := env -u GUNCAMERA_REST_ADDRESS -u GUNCAMERA_GRPC_ADDRESS -u GUNCAMERA_DATA_DIR -u GUNCAMERA_STORE_URL \
  -u GUNCAMERA_OPEN -u GUNCAMERA_KEY
# The tests start hundreds of interpreters: without bytecode each would compile everything anew.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help setup serve check static fmt format-check lint types contracts proto proto-check breaking \
  release-proto twin openapi openapi-check test fuzz bench bench-streams bench-tournament load \
  soak chaos cases playthroughs readings constraints audit arithmetic deploy-check clean

help: ## print this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t18

setup: .venv/.ready ## make .venv and install everything, pinned

.venv/.ready: constraints.txt pyproject.toml
	@command -v $(PYTHON) >/dev/null || { echo "Python 3.11 is needed; say make PYTHON=/path/to/python3.11"; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r constraints.txt
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

serve: setup ## start the service: REST on 127.0.0.1:8080, gRPC on 127.0.0.1:50051
	$(BIN)/guncamera serve

check: setup static test ## everything CI checks
	@echo "make check: all well"

static: setup ## all of it but the tests, two at a time
	@$(MAKE) --no-print-directory --jobs 2 --output-sync=target \
	  types format-check lint contracts proto-check breaking openapi-check audit

fmt: setup ## format the code and the protos
	$(BIN)/ruff format $(SOURCES)
	$(BIN)/ruff check --fix $(SOURCES)
	cd proto && ../$(BIN)/buf format -w

format-check: setup
	$(BIN)/ruff format --check $(SOURCES)

lint: setup ## ruff, and buf on the protos
	$(BIN)/ruff check $(SOURCES)
	cd proto && ../$(BIN)/buf lint

types: setup ## mypy, strict
	$(BIN)/mypy

contracts: setup ## which ring may import which
	$(BIN)/lint-imports

define generate
	$(BIN)/python -m grpc_tools.protoc -Iproto --python_out=$(1) --mypy_out=quiet:$(1) \
	  --plugin=protoc-gen-mypy=$(BIN)/protoc-gen-mypy \
	  --include_imports --include_source_info --descriptor_set_out=$(1)/guncamera/v1/descriptors.binpb \
	  $(PROTOS)
	$(BIN)/python -m grpc_tools.protoc -Iproto --grpc_python_out=$(1) --mypy_grpc_out=quiet:$(1) \
	  --plugin=protoc-gen-mypy_grpc=$(BIN)/protoc-gen-mypy_grpc $(filter %_service.proto,$(PROTOS))
endef

proto: setup ## regenerate the wire types
	$(call generate,service)

proto-check: setup ## is the committed generated code what the protos give?
	rm -rf build/proto && mkdir -p build/proto/guncamera/v1
	$(call generate,build/proto)
	cp $(V1)/__init__.py build/proto/guncamera/v1/
	diff -r --exclude=__pycache__ build/proto/guncamera/v1 $(V1)

breaking: setup ## does the contract still serve callers of the last release?
	cd proto && ../$(BIN)/buf breaking --against released.binpb

release-proto: setup ## freeze the contract as released
	cd proto && ../$(BIN)/buf build -o released.binpb

twin: setup ## derive the blocking client from the asyncio one
	$(BIN)/python tests/clients/twin.py

openapi: setup ## write docs/openapi.json anew
	$(BIN)/python -m guncamera.api.openapi > docs/openapi.json

openapi-check: setup
	$(BIN)/python -m guncamera.api.openapi | diff - docs/openapi.json

test: setup ## every test; they start the servers they need
	$(CLEAN_ENV) $(BIN)/pytest -n $(TEST_WORKERS) --dist loadfile --no-loadscope-reorder

audit: setup ## known vulnerabilities of the pinned dependencies, where advisories can be had
	$(BIN)/python tests/audit.py

cases: setup ## the case files alone, through the core
	$(BIN)/guncamera conform

playthroughs: setup ## play the golden games anew; review the difference
	$(BIN)/python tests/playthroughs/record.py

readings: setup ## write the lists of docs/readings anew
	$(BIN)/python tests/reading_pages.py

fuzz: setup ## long random play, and new examples by the thousand for every law
	FUZZ=1 $(BIN)/pytest -m hypothesis -n 2
	FUZZ=1 FUZZ_GAMES=500 $(BIN)/pytest tests/rules/test_conformance.py tests/sessions/test_fuzz.py tests/api/test_openapi.py -n 2

bench: setup ## what a call costs, as ratios in one run; one JSON line
	$(BIN)/python loadtests/bench.py

bench-streams: setup ## what all the streams there may be cost other calls; fails above 1.5 times p99
	$(BIN)/python loadtests/streams.py

bench-tournament: setup ## what games of pilots cost; one JSON line (TOURNAMENT=--soak: 10,000, memory must stay flat)
	$(CLEAN_ENV) $(BIN)/python loadtests/tournament.py $(TOURNAMENT)

load: setup ## a bounded load of whole games over both transports, with budgets
	$(CLEAN_ENV) $(BIN)/python loadtests/run.py

arithmetic: setup ## sessions in a gigabyte, calls a core: what a session and a call take
	$(CLEAN_ENV) $(BIN)/python loadtests/arithmetic.py

deploy-check: setup ## the Dockerfile's steps without an engine, and the service they give; downloads
	$(CLEAN_ENV) $(BIN)/python tests/deploy_check.py

soak: setup ## half an hour of play; memory, descriptors and p99 must stay flat (MINUTES=30)
	$(CLEAN_ENV) $(BIN)/python loadtests/soak.py --minutes $(MINUTES)

chaos: setup ## play under faults: nothing lost, nothing doubled, answering again in time
	$(CLEAN_ENV) PYTHONPATH=loadtests:tests $(BIN)/python -m chaos $(CHAOS)

constraints: setup ## pin every dependency anew: names, versions and hashes only
	$(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 $(foreach extra,$(EXTRAS),--extra $(extra)) \
	  --generate-hashes --no-emit-index-url --no-header --no-annotate pyproject.toml -o constraints.txt

clean: ## remove what was made, but not the environment
	rm -rf build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
