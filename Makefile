# Every command a developer needs. `make` alone prints them.
PYTHON ?= python3.11
BIN := .venv/bin
PROTOS := $(wildcard proto/guncamera/v1/*.proto)
V1 := service/guncamera/v1

.DEFAULT_GOAL := help
.PHONY: help setup serve check fmt lint types contracts proto proto-check openapi test bench load fuzz cases playthroughs constraints clean

help: ## print this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t16

setup: .venv/.ready ## make the environment and install everything, pinned

.venv/.ready: constraints.txt pyproject.toml
	@command -v $(PYTHON) >/dev/null || { echo "Python 3.11 is needed: install it, or say make PYTHON=/path/to/python3.11"; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r constraints.txt
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

proto: setup ## regenerate the wire types and the descriptor set
	$(BIN)/python -m grpc_tools.protoc -Iproto --python_out=service --mypy_out=quiet:service \
	  --plugin=protoc-gen-mypy=$(BIN)/protoc-gen-mypy \
	  --include_imports --include_source_info --descriptor_set_out=$(V1)/descriptors.binpb $(PROTOS)
	$(BIN)/python -m grpc_tools.protoc -Iproto --grpc_python_out=service --mypy_grpc_out=quiet:service \
	  --plugin=protoc-gen-mypy_grpc=$(BIN)/protoc-gen-mypy_grpc $(filter %_service.proto,$(PROTOS))

constraints: setup ## pin every dependency anew: names, versions and hashes only
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --extra server --extra dev --generate-hashes \
	  --no-emit-index-url --no-header --no-annotate pyproject.toml -o constraints.txt
