# make demo, make test: both set everything up first (virtual environment, dependencies, the C build). make help lists the others.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/installed
CONSTRAINTS := --constraint constraints.txt

# What the C build needs, and what only some tests need; libcmph is optional everywhere.
PACKAGES := gcc libc6-dev make pkg-config python3-dev python3-venv libcmph-dev
TEST_PACKAGES := clang llvm libclang-rt-14-dev qemu-user gcc-s390x-linux-gnu libc6-dev-s390x-cross gcc-i686-linux-gnu libc6-dev-i386-cross zlib1g-dev g++ nodejs unicode-data valgrind zstd
BROWSERS := chromium firefox-esr npm
AXE := axe-core@4.14.1

.PHONY: help demo test test-all test-slow test-nightly test-browser lint man lib install-lib programs wasm constraints browsers system system-test wheel clean

demo: $(INSTALLED)
	@sh docs/demo.sh $(BIN)/pocketindex $(BIN)/python

test: $(INSTALLED)
	$(BIN)/python -m pytest -n auto -m "not slow and not nightly and not browser" $(ARGS)

# What needs cross compilers, fuzzers and minutes.
test-slow: system-test $(INSTALLED)
	$(BIN)/python -m pytest -n auto --dist worksteal -m "slow and not browser" --durations 10 $(ARGS)

# What takes minutes: planted bugs, builds that are killed, programs for other machines.
test-nightly: system-test $(INSTALLED)
	$(BIN)/python -m pytest -n auto --dist worksteal -m nightly --durations 10 $(ARGS)

# The disc's page in the browsers of the system.
test-browser: browsers
	$(BIN)/python -m pytest -n auto --dist worksteal -m browser $(ARGS)

browsers: $(INSTALLED)
	@sh .ci/packages $(BROWSERS)
	$(BIN)/python -m pip install --quiet $(CONSTRAINTS) --group browser
	@npm install --silent --no-save --prefix $(VENV)/npm $(AXE) || echo "not installed: $(AXE)"

test-all: system-test browsers
	$(BIN)/python -m pytest $(ARGS)

help:
	@echo "make demo         set everything up, turn the documentation of your Python into a file, and ask it"
	@echo "make test         the tests without the slow ones; ARGS='-k name' for some"
	@echo "make test-all     all of them (test-slow, test-nightly: these alone); installs cross compilers and fuzzers"
	@echo "make test-browser the page of 'pocketindex disc' in chromium and firefox-esr; installs them"
	@echo "make lint         ruff and mypy"
	@echo "make man          build/pocketindex.1, the manual page"
	@echo "make lib          $(LIB)/: pocket.c and pocket.h to drop into an app, libpocket.a, libpocket.so, pocket.pc"
	@echo "make install-lib  the library for all, under PREFIX (default $(PREFIX))"
	@echo "make programs     build/programs/: stand-alone query programs for Linux, macOS, Windows (x64, arm64)"
	@echo "make wasm         data/pocket.wasm, the core for a page, made again"
	@echo "make constraints constraints.txt, the versions that are installed, taken anew: then .ci/run"
	@echo "make wheel        dist/: what is uploaded"
	@echo "make clean        remove what was made"

# The C library. Its number is the ABI's (docs/embedding.md): it goes up when anything that pocket.h declares changes or goes.
LIB := build/lib
ABI := 1
PREFIX ?= /usr/local
CFLAGS ?= -O2
VERSION = $(shell sed -n 's/^version = "\(.*\)"$$/\1/p' pyproject.toml)
# pocket.pc for a library and a header that lie in these two folders
pc = sed -e 's|@version@|$(VERSION)|; s|@prefix@|$(1)|; s|@libdir@|$(2)|; s|@includedir@|$(3)|' cbits/pocket.pc.in

lib: $(LIB)/libpocket.a $(LIB)/libpocket.so $(LIB)/pocket.pc

$(LIB)/pocket.c: cbits/amalgamate.py LICENSE pyproject.toml $(filter-out cbits/_%,$(wildcard cbits/*.[ch]))
	$(PYTHON) cbits/amalgamate.py $(LIB)

$(LIB)/pocket.o: $(LIB)/pocket.c
	$(CC) -std=c11 $(CFLAGS) -Wall -Wextra -fPIC -fvisibility=hidden -c $< -o $@

$(LIB)/libpocket.a: $(LIB)/pocket.o
	rm -f $@
	$(AR) rcsD $@ $<

$(LIB)/libpocket.so: $(LIB)/pocket.o
	$(CC) $(LDFLAGS) -shared -pthread -Wl,-soname,libpocket.so.$(ABI) -Wl,--no-undefined $< -o $@.$(ABI)
	ln -sf libpocket.so.$(ABI) $@

$(LIB)/pocket.pc: cbits/pocket.pc.in pyproject.toml $(LIB)/pocket.c
	$(call pc,$${pcfiledir},$${pcfiledir},$${pcfiledir}) > $@

install-lib: lib
	install -d $(DESTDIR)$(PREFIX)/include $(DESTDIR)$(PREFIX)/lib/pkgconfig
	install -m 644 $(LIB)/pocket.h $(DESTDIR)$(PREFIX)/include
	install -m 644 $(LIB)/libpocket.a $(DESTDIR)$(PREFIX)/lib
	install -m 755 $(LIB)/libpocket.so.$(ABI) $(DESTDIR)$(PREFIX)/lib
	ln -sf libpocket.so.$(ABI) $(DESTDIR)$(PREFIX)/lib/libpocket.so
	$(call pc,$(PREFIX),$${prefix}/lib,$${prefix}/include) > $(DESTDIR)$(PREFIX)/lib/pkgconfig/pocket.pc

# Both by the pinned ziglang of pyproject.toml.
programs: $(INSTALLED)
	$(BIN)/python programs/make_programs.py build/programs

wasm: $(INSTALLED)
	$(BIN)/python data/make_wasm.py

man: $(INSTALLED)
	$(BIN)/python reader/make_man.py build/pocketindex.1

lint: $(INSTALLED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python -m mypy

# A folder is newer than the mark when a file was added or removed: the strict editable install links files one by one.
FOLDERS := reader reader/plain reader/verbs builder builder/collections builder/disc builder/evaluate builder/inputs builder/schemes builder/verbs builder/work builder/write cbits data data/profiles
$(INSTALLED): pyproject.toml constraints.txt setup.py $(FOLDERS) $(filter-out cbits/_%,$(wildcard cbits/*.[ch])) cbits/ffi_build.py
	@$(MAKE) --no-print-directory system
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet $(CONSTRAINTS) --upgrade pip "setuptools>=77" cffi
	$(BIN)/python -m pip install --quiet $(CONSTRAINTS) --group dev
	$(BIN)/python -m pip install --quiet $(CONSTRAINTS) --no-build-isolation --editable . --config-settings editable_mode=strict
	@touch $@

# Debian packages: installed when we may, otherwise named.
system:
	@sh .ci/packages $(PACKAGES)

system-test: system
	@sh .ci/packages $(TEST_PACKAGES)

# The newest versions that pyproject.toml allows, in an environment made anew.
constraints:
	rm -rf $(VENV)
	@$(MAKE) --no-print-directory browsers CONSTRAINTS=
	@$(BIN)/python -c 'import sys; print("# The versions that the tests have passed with, on Python %d.%d; another Python takes what pip finds. Made by `make constraints`." % sys.version_info[:2])' > constraints.txt
	@marker=$$($(BIN)/python -c 'import sys; print("; python_version == \"%d.%d\"" % sys.version_info[:2])') \
	    && $(BIN)/python -m pip list --format=freeze --exclude-editable | sed "s/$$/ $$marker/" >> constraints.txt

wheel: $(INSTALLED)
	$(BIN)/python -m build

clean:
	rm -rf $(VENV) build dist demo *.egg-info cbits/_core.c cbits/_cmph.c
	find . -name '*.so' -not -path './.venv/*' -delete
