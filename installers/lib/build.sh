# shellcheck shell=bash
# SPDX-FileCopyrightText: Glovebox contributors
# SPDX-License-Identifier: Apache-2.0
# Configures and compiles. Configures only when something about it changed, so a second call starts at once.

PRESET=${GLOVEBOX_PRESET:-dev}

# The script's own settings, whatever the machine's are: objects are shared by clones in different folders and by
# suites that use a precompiled header. CMake writes the header's file anew in each, so its date says nothing.
ccache_environment() {
    export CCACHE_BASEDIR=$ROOT CCACHE_NOHASHDIR=1 CCACHE_COMPRESS=1
    export CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
}

# install_everything [MORE NEEDS…]
# shellcheck disable=SC2120 # other parts pass some
install_everything() {
    install_packages "${BUILD_NEEDS[@]}" "${RUN_NEEDS[@]}" "$@"
    install_ksyntax
    install_tools
    check_namespaces
}

# configure PRESET [-D…]
configure() {
    local preset=$1 stamp wanted
    shift
    stamp=$ROOT/build/$preset/configured-by-bootstrap
    wanted="$GLOVEBOX_TOOLS_DIR $(npm_folder agents) $(ksyntax_prefix) $*"
    if [ -e "$ROOT/build/$preset/build.ninja" ] && [ "$(cat "$stamp" 2>/dev/null)" = "$wanted" ]; then
        return 0
    fi
    step "configure $preset" run_cmake "$preset" "$@" ||
        die "CMake could not configure the project. What it printed above says what is missing."
    grep -A4 -i "glovebox: " "$LOGS/configure-$preset.log" >&2 || true
    printf '%s\n' "$wanted" >"$stamp"
}

run_cmake() {
    local preset=$1 ksyntax=()
    shift
    [ ! -d "$(ksyntax_prefix)/include" ] || ksyntax=("-DGLOVEBOX_KSYNTAX_PREFIX=$(ksyntax_prefix)")
    [ "$CI" != true ] || ksyntax+=("-DGLOVEBOX_REQUIRE_SYNTAX=ON")
    (cd "$ROOT" && cmake --preset "$preset" "-DGLOVEBOX_TOOLS_DIR=$GLOVEBOX_TOOLS_DIR" \
        "-DGLOVEBOX_AGENTS_DIR=$(npm_folder agents)" ${ksyntax[@]+"${ksyntax[@]}"} "$@")
}

# compile PRESET [TARGET…]; targets that this tree does not have are left out.
compile() {
    local preset=$1 targets=() name quiet=()
    shift
    [ -t 2 ] || quiet=(--quiet)
    for name in "$@"; do
        has_target "$preset" "$name" && targets+=("$name")
    done
    if [ $# -gt 0 ] && [ ${#targets[@]} -eq 0 ]; then
        return 0
    fi
    shown "compile $preset" ninja -C "$ROOT/build/$preset" -j "$(jobs_wanted)" ${quiet[@]+"${quiet[@]}"} \
        ${targets[@]+"${targets[@]}"} >&2 || die "The $preset build failed."
}

has_target() { grep -q "^build $2: phony\|^# Link the executable .*/$2\$\|^build [^:]*/$2: " "$ROOT/build/$1/build.ninja"; }

programs_folder() { echo "$ROOT/build/$PRESET/bin"; }

build_programs() {
    install_everything
    ccache_environment
    configure "$PRESET"
    compile "$PRESET" glovebox glovebox-cli
    mkdir -p "$(programs_folder)"
}

build_verb() {
    build_programs
    programs_folder
}
