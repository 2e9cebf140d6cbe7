# make demo, make test: both set everything up first (virtual environment, dependencies, the C build).
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/installed

# What the C build needs, and what only some tests need; libcmph is optional everywhere.
PACKAGES := gcc libc6-dev make pkg-config python3-dev python3-venv libcmph-dev
TEST_PACKAGES := clang libclang-rt-14-dev qemu-user gcc-s390x-linux-gnu libc6-dev-s390x-cross gcc-i686-linux-gnu libc6-dev-i386-cross zlib1g-dev g++ nodejs unicode-data valgrind zstd

.PHONY: demo test test-all test-slow lint system system-test wheel clean

demo: $(INSTALLED)
	@sh docs/demo.sh $(BIN)/pocketindex $(BIN)/python

test: $(INSTALLED)
	$(BIN)/python -m pytest -m "not slow" $(ARGS)

# What needs cross compilers, fuzzers and minutes.
test-slow: system-test $(INSTALLED)
	$(BIN)/python -m pytest -m slow $(ARGS)

test-all: system-test $(INSTALLED)
	$(BIN)/python -m pytest $(ARGS)

lint: $(INSTALLED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python -m mypy

# A folder is newer than the mark when a file was added or removed: the strict editable install links files one by one.
FOLDERS := reader reader/plain reader/verbs builder builder/evaluate builder/inputs builder/schemes builder/verbs cbits data data/profiles
$(INSTALLED): pyproject.toml setup.py $(FOLDERS) $(filter-out cbits/_%,$(wildcard cbits/*.[ch])) cbits/ffi_build.py
	@$(MAKE) --no-print-directory system
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip "setuptools>=77" cffi
	$(BIN)/python -m pip install --quiet --group dev
	$(BIN)/python -m pip install --quiet --no-build-isolation --editable . --config-settings editable_mode=strict
	@touch $@

# Debian packages: installed when we may, otherwise named.
system:
	@sh .ci/packages $(PACKAGES)

system-test: system
	@sh .ci/packages $(TEST_PACKAGES)

wheel: $(INSTALLED)
	$(BIN)/python -m build

clean:
	rm -rf $(VENV) build dist demo *.egg-info cbits/_core.c cbits/_cmph.c
	find . -name '*.so' -not -path './.venv/*' -delete
