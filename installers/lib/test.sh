# shellcheck shell=bash
# SPDX-FileCopyrightText: Glovebox contributors
# SPDX-License-Identifier: Apache-2.0
# The test verb: builds and passes the suites; with --checks everything that a change has to pass.

TEST_JOBS=${TEST_JOBS:-$(($(cores) + 2))} # many a suite waits for other programs

LONG=no
CHECKS=no
CTEST_ARGS=()

read_test_options() {
    while [ $# -gt 0 ]; do
        case $1 in
        --long) LONG=yes ;;
        --checks) CHECKS=yes ;;
        --)
            shift
            CTEST_ARGS=("$@")
            return
            ;;
        *)
            say "unknown option: $1"
            usage >&2
            exit 2
            ;;
        esac
        shift
    done
}

test_verb() {
    local needs=("${TEST_NEEDS[@]}")
    read_test_options "$@"
    [ "$CHECKS" = no ] || needs+=("${CHECK_NEEDS[@]}")
    install_everything "${needs[@]}"
    install_agents
    ccache_environment
    if [ "$CHECKS" = yes ]; then
        all_checks
    else
        configure "$PRESET"
        compile "$PRESET"
        run_suites "$PRESET" "${CTEST_ARGS[@]+"${CTEST_ARGS[@]}"}"
    fi
}

# run_suites PRESET [ctest arguments]; CTEST_WITHOUT is a list of labels. What a suite allows for time counts for an
# idle machine, and here several run at once.
run_suites() {
    local preset=$1 without=${CTEST_WITHOUT:-long} filter code=0
    shift
    [ "$LONG" = no ] || without=${without#long}
    without=${without#,}
    filter=(${without:+-LE "^(${without//,/|})\$"})
    say "-- suites of the $preset build"
    GLOVEBOX_PATIENCE=${GLOVEBOX_PATIENCE:-4} ctest --test-dir "$ROOT/build/$preset" --output-on-failure --no-tests=error -j "$TEST_JOBS" \
        ${filter[@]+"${filter[@]}"} "$@" || code=$?
    return "$code"
}
