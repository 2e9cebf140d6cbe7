#!/bin/bash -eu
# Builds the fuzzers into $OUT. OSS-Fuzz's images set CC, CFLAGS, LIB_FUZZING_ENGINE and SANITIZER.
[ -d cbits ] || cd "${SRC:?}/pocketindex"

# The core: a pocket file that a fuzzer has changed, by a mutator that makes checksums agree again. Small limits, so that
# their ends are reached.
core=$(find cbits/base cbits/text cbits/sketch cbits/file cbits/query -name '*.c' \
    ! -name map.c ! -name open_path.c ! -name memory_wasm.c)
objects=()
for source in $core tests/c/fuzz.c tests/c/mutator.c; do
    object=$(mktemp -d)/$(basename "$source" .c).o
    # shellcheck disable=SC2086
    $CC $CFLAGS -std=c11 -Icbits -DMAX_CANDIDATES=256 -DSCAN_LEAST=8 -DSTEPS_BETWEEN=8u \
        -DFEW_DOCUMENTS=20u -DCOMMONER=4u -c "$source" -o "$object"
    objects+=("$object")
done
# shellcheck disable=SC2086
${CXX:-$CC} ${CXXFLAGS:-$CFLAGS} "${objects[@]}" $LIB_FUZZING_ENGINE -l:libz.a -o "$OUT/fuzz_core"
python3 -m zipfile -c "$OUT/fuzz_core_seed_corpus.zip" tests/fuzz_corpus/* tests/golden/*.pocket

# The readers of inputs, by atheris, which knows no other sanitizer.
if [ "${SANITIZER:-address}" = address ] && command -v compile_python_fuzzer >/dev/null; then
    python3 -m pip install --constraint constraints.txt --upgrade pip # the image's may not know groups
    python3 -m pip install --constraint constraints.txt --group test --group fuzz .
    compile_python_fuzzer tests/fuzz_reader.py --paths tests/helpers:tests/helpers/attack \
        --paths tests/helpers/made --collect-all pocketindex
fi
