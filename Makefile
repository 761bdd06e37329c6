# The front door. Every target does its own set-up, from a bare Debian 12, as root or with sudo.
SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

PREFIX ?= /usr/local
JOBS ?= $(shell nproc)
PYTHON ?= /usr/bin/python3
SECONDS_PER_TARGET ?= 60

step := scripts/step
sources := $$(git ls-files '*.cpp' '*.hpp' '*.cu' '*.cuh')
# Steps that print thousands of lines when all is well are only heard when they fail.
quiet := scripts/quiet

.PHONY: help build demo docs wheel package test test-asan test-tsan test-cuda bench audit reproduce fuzz format check lint install clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile

build: ## install what is missing, build the library and the command
	@$(step) packages scripts/setup build
	@$(step) configure $(quiet) cmake --preset release
	@$(step) build $(quiet) cmake --build build/release -j$(JOBS)

demo: ## build the command alone, complete a small sample tensor and print its held-out error
	@$(step) packages scripts/setup build
	@$(step) configure $(quiet) cmake --preset release
	@$(step) build $(quiet) cmake --build build/release -j$(JOBS) --target tulle_command
	@$(step) demo scripts/demo build/release/tulle

docs: ## the documentation site, into build/site
	@$(step) packages scripts/setup build docs
	@$(step) python scripts/venv build/python-venv tests/python/requirements.txt
	@$(step) mkdocs scripts/venv build/docs-venv docs/requirements.txt
	@$(step) configure $(quiet) cmake --preset release -DTULLE_PYTHON=ON -DPython_EXECUTABLE=$(CURDIR)/build/python-venv/bin/python
	@$(step) build $(quiet) cmake --build build/release -j$(JOBS) --target tulle_command tulle_python
	@$(step) site scripts/docs build/release build/python-venv build/docs-venv

wheel: ## the wheel of the Python package, built and tested, into build/wheels
	@$(step) packages scripts/setup build wheel
	@$(step) tools scripts/venv build/wheel-venv python/wheel-requirements.txt
	@$(step) wheel scripts/wheel $(JOBS) build/wheel-venv build/wheels
	@$(step) test scripts/test-wheel build/wheels

package: build ## a Debian package of command, library and headers, into build/packages
	@$(step) package $(quiet) cpack --config build/release/CPackConfig.cmake -B build/packages

test: ## build and run every test
	@$(step) packages scripts/setup build test
	@$(step) python scripts/venv build/python-venv tests/python/requirements.txt
	@$(step) configure $(quiet) cmake --preset test -DTULLE_PYTHON=ON -DPython_EXECUTABLE=$(CURDIR)/build/python-venv/bin/python
	@$(step) build $(quiet) cmake --build build/release -j$(JOBS)
	@$(step) tests scripts/tests build/release $(JOBS)

test-asan test-tsan: test-%: ## the tests under address + undefined-behaviour (asan) or thread (tsan) sanitizers
	@$(step) packages scripts/setup build test
	@$(step) configure $(quiet) cmake --preset $*
	@$(step) build $(quiet) cmake --build build/$* -j$(JOBS)
	@$(step) tests scripts/tests build/$* $(JOBS)

test-cuda: ## the tests of fits on the first GPU of this machine
	@$(step) packages scripts/setup build test
	@$(step) configure $(quiet) cmake --preset test
	@$(step) build $(quiet) cmake --build build/release -j$(JOBS) --target test_cuda test_solve tulle_gpu_kernels
	@$(step) conformance build/release/tests/test_cuda
	@$(step) solvers env TULLE_TEST_DEVICE=cuda build/release/tests/test_solve --gtest_filter='CpAls.*:CompleteCpAls.*:Hooi.*'

bench: ## speed and accuracy beside the peers, in one run
	@$(step) packages scripts/setup build bench
	@$(step) configure $(quiet) cmake --preset bench
	@$(step) build $(quiet) cmake --build build/release -j$(JOBS)
	@$(step) peers scripts/venv build/bench-venv bench/requirements.txt
	@$(step) bench build/bench-venv/bin/python bench/run.py --build build/release $(BENCH)

audit: build ## attack every method and write docs/audit.md
	@$(step) audit build/release/tulle audit --all --pairs 115000 -o docs/audit.md

reproduce: build ## every experiment of the papers (QUICK=--quick: in a quarter of an hour), into build/reproduced and docs/results.md
	@$(step) reproduce build/release/tulle reproduce all $(QUICK) -o build/reproduced --results docs/results.md --commit $$(git rev-parse --short HEAD)

fuzz: ## fuzz every file format, SECONDS_PER_TARGET each
	@$(step) packages scripts/setup build fuzz
	@$(step) configure $(quiet) cmake --preset fuzz
	@$(step) build $(quiet) cmake --build build/fuzz --target fuzzers -j$(JOBS)
	@$(step) fuzz scripts/fuzz build/fuzz $(SECONDS_PER_TARGET)

format: ## format all sources
	@scripts/setup lint
	@clang-format -i $(sources)

check: ## check format, and Python by ruff and mypy
	@$(step) packages scripts/setup lint
	@$(step) format clang-format --dry-run --Werror $(sources)
	@$(step) linters scripts/venv build/lint-venv python/lint-requirements.txt
	@$(step) ruff build/lint-venv/bin/ruff check --quiet
	@$(step) mypy $(quiet) build/lint-venv/bin/mypy

lint: check ## the same, and static analysis of all sources (SINCE=COMMIT: of those that changed since)
	@$(step) packages scripts/setup build fuzz
	@$(step) configure $(quiet) cmake --preset lint
	@$(step) tidy scripts/tidy build/lint $(JOBS) $(SINCE)

install: build ## install library, headers, command and man page under PREFIX (default /usr/local)
	@$(step) install $(quiet) cmake --install build/release --prefix $(PREFIX)

clean: ## remove everything that was built
	@rm -rf build
