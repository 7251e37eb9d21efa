# shellcheck shell=bash
# SPDX-FileCopyrightText: Glovebox contributors
# SPDX-License-Identifier: Apache-2.0
# Words that every part of bootstrap uses: saying, timing, failing, where the cache is.

umask 022
CI=${CI:-}
LOGS=$ROOT/build/log

say() { printf '%s\n' "$*" >&2; }
warn() { printf '\nWARNING: %s\n\n' "$*" >&2; }
die() {
    printf '\nERROR: %s\n' "$*" >&2
    exit 1
}

# A failure that only CI and --checks must not pass over.
complain() {
    if [ "$CI" = true ]; then
        die "$*"
    fi
    warn "$*"
}

no_arguments() {
    [ $# -eq 0 ] || {
        say "unexpected: $*"
        usage >&2
        exit 2
    }
}

have() { command -v "$1" >/dev/null 2>&1; }
on_debian() { have apt-get && have dpkg-query; }

cores() { getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2; }
jobs_wanted() { echo "${JOBS:-$(cores)}"; }

digest() {
    if have sha256sum; then
        sha256sum
    else
        shasum -a 256
    fi | cut -c1-12
}

# As root outside /root: the suites run agents as an ordinary user, who has to reach them.
# cmake/Tools.cmake has the same rule.
cache_folder() {
    if [ -n "${GLOVEBOX_CACHE_DIR:-}" ]; then
        echo "$GLOVEBOX_CACHE_DIR"
    elif [ "$(id -u)" -eq 0 ]; then
        echo /var/cache/glovebox
    else
        echo "${XDG_CACHE_HOME:-$HOME/.cache}/glovebox"
    fi
}

# step WHAT COMMAND…: says what is done and how long it took; the output goes to build/log and is shown on failure.
step() {
    local what=$1 log start code=0
    shift
    mkdir -p "$LOGS"
    log=$LOGS/$(printf '%s' "$what" | tr -cs '[:alnum:]' '-').log
    start=$SECONDS
    say "-- $what"
    # A function called from here checks each of its commands: the shell ignores set -e on the left of "||".
    "$@" >"$log" 2>&1 </dev/null || code=$?
    if [ "$code" -ne 0 ]; then
        tail -n 60 "$log" >&2
        say "   failed after $((SECONDS - start)) s (all of it: $log)"
        return "$code"
    fi
    say "   done in $((SECONDS - start)) s"
}

# The same for what a person wants to see pass by.
shown() {
    local what=$1 start=$SECONDS code=0
    shift
    say "-- $what"
    "$@" || code=$?
    if [ "$code" -ne 0 ]; then
        say "   failed after $((SECONDS - start)) s: $what"
        return "$code"
    fi
    say "   done in $((SECONDS - start)) s: $what"
}
