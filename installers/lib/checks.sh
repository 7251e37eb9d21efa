# shellcheck shell=bash
# SPDX-FileCopyrightText: Glovebox contributors
# SPDX-License-Identifier: Apache-2.0
# What a change has to pass beside the plain suites. One build serves the suites with ASan and UBSan, and the coverage
# that they give. ThreadSanitizer builds the suites labelled "pool" alone.

MINIMUM_COVERAGE=85 # per cent of lines, of core and of providers
FUZZ_SECONDS=30
CONTRACT_MIB=4 # the contract's large files; "bootstrap test" passes the real size

KEPT_TESTS=${TMPDIR:-/tmp}/gb-kept # short: sockets lie below it

CHECK_ROWS=()

# check NAME COMMAND…: goes on after a failure, so that one call tells all there is to mend.
check() {
    local name=$1 start=$SECONDS verdict=passed
    shift
    say ""
    say "== $name"
    ("$@") || verdict=FAILED
    CHECK_ROWS+=("$(printf '%-12s %-7s %5d s' "$name" "$verdict" $((SECONDS - start)))")
}

all_checks() {
    local row failed=0
    check format check_format
    check shell check_shell
    check suites suites_with_sanitizers
    check sweep sweep_for_secrets
    check coverage check_coverage
    check tsan suites_with_tsan
    check fuzz run_fuzzers
    check clang-tidy check_tidy # last, as it can take longer than all others
    printf '\n'
    for row in "${CHECK_ROWS[@]}"; do
        printf '%s\n' "$row"
        case $row in *FAILED*) failed=$((failed + 1)) ;; esac
    done
    printf '%d checks passed, %d failed, %d s in all\n' $((${#CHECK_ROWS[@]} - failed)) "$failed" "$SECONDS"
    [ "$failed" -eq 0 ]
}

ours() { (cd "$ROOT" && git ls-files --cached --others --exclude-standard -- "$@"); }

# Other releases of clang-format decide differently, so only the one that the project uses can judge.
check_format() {
    if ! have clang-format-16; then
        complain "clang-format-16 is not to be had here; formatting was not checked."
        return
    fi
    (cd "$ROOT" && ours '*.h' '*.cpp' | xargs clang-format-16 --dry-run -Werror)
}

check_shell() {
    (cd "$ROOT" && ours '*.sh' installers/bootstrap .ci/run | xargs shellcheck -x -S warning -e SC1007,SC2046)
}

suites_with_sanitizers() {
    configure asan -DGLOVEBOX_COVERAGE=ON
    compile asan
    find "$ROOT/build/asan" -name '*.gcda' -delete
    rm -rf "$KEPT_TESTS"
    mkdir -p "$KEPT_TESTS"
    # A program that runs as somebody else cannot write down what it ran, and its words belong to its suite.
    GLOVEBOX_KEEP_TESTS=$KEPT_TESTS GCOV_ERROR_FILE=/dev/null LSAN_OPTIONS=suppressions=$ROOT/tests/support/lsan.supp:print_suppressions=0 \
        ASAN_OPTIONS=detect_leaks=1:strict_string_checks=1:detect_stack_use_after_return=1 \
        UBSAN_OPTIONS=print_stacktrace=1 GLOVEBOX_PATIENCE=10 GLOVEBOX_CONTRACT_MIB=$CONTRACT_MIB run_suites asan
}

# What the suites left, and where programs of theirs could have left something.
sweep_for_secrets() {
    python3 -B "$ROOT/tests/tooling/sweep.py" "$KEPT_TESTS" /dev/shm /var/tmp /var/log || return 1
    chmod -R u+rwX "$KEPT_TESTS" 2>/dev/null
    rm -rf "$KEPT_TESTS"
}

check_coverage() {
    python3 -B "$LIB/coverage.py" --root "$ROOT" --build "$ROOT/build/asan" --minimum "$MINIMUM_COVERAGE" \
        --jobs "$(jobs_wanted)"
}

# Qt itself is not instrumented, so what it does inside is not looked at. Address randomisation as wide as newer
# kernels have it is more than this ThreadSanitizer can map.
suites_with_tsan() {
    local suites
    configure tsan
    suites=$(suites_with tsan -L '^pool$')
    if [ -z "$suites" ]; then
        say "no suite is labelled pool"
        return 0
    fi
    # shellcheck disable=SC2086 # a list of names
    compile tsan $suites
    GLOVEBOX_PATIENCE=10 TSAN_OPTIONS=ignore_noninstrumented_modules=1:halt_on_error=1:second_deadlock_stack=1 \
        setarch -R "$BASH" -c '"$@"' - ctest --test-dir "$ROOT/build/tsan" -L '^pool$' --output-on-failure \
        --no-tests=error -j "$TEST_JOBS"
}

# suites_with PRESET [ctest arguments]: the programs of the suites that these arguments leave.
suites_with() {
    local preset=$1
    shift
    ctest --test-dir "$ROOT/build/$preset" -N "$@" 2>/dev/null | sed -n 's/^ *Test *#[0-9]*: \([^ ]*\).*/tst_\1/p'
}

check_tidy() {
    local suffix=-16
    have clang-tidy-16 || suffix=
    # shellcheck disable=SC2086 # options
    python3 "$LIB/tidy.py" ${TIDY_OPTIONS:-} --record "$ROOT/installers/tidy.record" --root "$ROOT" --build "$ROOT/build/asan" --cache "$(cache_folder)/tidy" \
        --jobs "$(jobs_wanted)" --clang "clang++$suffix" --clang-tidy "clang-tidy$suffix"
}

# tests/fuzz/fuzz_NAME.cpp makes the program fuzz_NAME with clang; its seeds, where it has any, lie in tests/fuzz/NAME.
run_fuzzers() {
    local program name seeds
    if [ ! -e "$ROOT/tests/fuzz/CMakeLists.txt" ]; then
        say "there are no fuzzers"
        return 0
    fi
    configure fuzz
    # shellcheck disable=SC2046 # a list of names
    compile fuzz $(cd "$ROOT/tests/fuzz" && printf '%s\n' fuzz_*.cpp | sed 's/[.]cpp$//')
    for program in "$ROOT"/build/fuzz/fuzz/fuzz_*; do
        [ -x "$program" ] || continue
        name=${program##*/fuzz_}
        mkdir -p "$ROOT/build/fuzz/found/$name"
        seeds=()
        [ ! -d "$ROOT/tests/fuzz/$name" ] || seeds=("$ROOT/tests/fuzz/$name")
        step "fuzz $name for $FUZZ_SECONDS s" "$program" -max_total_time="$FUZZ_SECONDS" -timeout=10 -rss_limit_mb=2048 \
            -artifact_prefix="$ROOT/build/fuzz/found/$name/" "$ROOT/build/fuzz/found/$name" \
            ${seeds[@]+"${seeds[@]}"} || return 1
    done
}
