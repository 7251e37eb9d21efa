# shellcheck shell=bash
# SPDX-FileCopyrightText: Glovebox contributors
# SPDX-License-Identifier: Apache-2.0
# The bench verb. The contract with a measurement is in tests/bench/README.md.

bench_verb() {
    local name="" json="" bench code=0 found
    while [ $# -gt 0 ]; do
        case $1 in
        --json)
            [ $# -ge 2 ] || die "--json needs a file"
            json=$2
            shift
            ;;
        -*) die "unknown option: $1" ;;
        *) name=$1 ;;
        esac
        shift
    done
    found=$(benches "$name")
    if [ -z "$found" ]; then
        say "There is no measurement${name:+ called $name} in tests/bench."
        [ -z "$name" ] || say "There are: $(benches "" | tr '\n' ' ')"
        exit 2
    fi
    case $json in "" | /*) ;; *) json=$PWD/$json ;; esac
    install_everything "${TEST_NEEDS[@]}"
    ccache_environment
    configure bench
    # shellcheck disable=SC2046,SC2086 # a list of names
    compile bench glovebox-cli $(printf 'bench_%s\n' $found)
    export GLOVEBOX_PROGRAMS=$ROOT/build/bench/bin
    for bench in $found; do
        run_bench "$bench" >"$ROOT/build/bench/$bench.rows" || code=1
    done
    # shellcheck disable=SC2046,SC2086 # a list of files
    python3 "$LIB/benchtable.py" "$json" $(printf "$ROOT/build/bench/%s.rows\n" $found) || code=1
    return "$code"
}

# Every folder or script of tests/bench is a measurement.
benches() {
    local path name
    for path in "$ROOT"/tests/bench/*; do
        name=$(basename "$path")
        name=${name%.sh}
        case $name in README.md | CMakeLists.txt | support | '*') continue ;; esac
        if [ -z "$1" ] || [ "$1" = "$name" ]; then
            echo "$name"
        fi
    done
}

run_bench() {
    say "-- bench $1"
    if [ -e "$ROOT/tests/bench/$1.sh" ]; then
        bash "$ROOT/tests/bench/$1.sh"
    else
        QT_QPA_PLATFORM=${QT_QPA_PLATFORM:-offscreen} "$(find "$ROOT/build/bench" -name "bench_$1" -type f | head -n 1)"
    fi
}
