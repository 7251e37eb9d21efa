# shellcheck shell=bash
# SPDX-FileCopyrightText: Glovebox contributors
# SPDX-License-Identifier: Apache-2.0
# The run verb: the window on a demo repository, or the demo run headless where there is no display.

DEMO=$ROOT/build/demo

run_verb() {
    local programs
    build_programs
    programs=$(programs_folder)
    [ -x "$programs/glovebox-cli" ] || die "This tree builds no glovebox-cli, so there is nothing to run."
    make_demo "$programs"
    if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] && [ -x "$programs/glovebox" ]; then
        say "-- opening the window on $DEMO"
        exec "$programs/glovebox" "$DEMO" "$@"
    fi
    run_headless "$programs" "$@"
}

# One that is there already stays as it is.
make_demo() {
    "$1/glovebox-cli" demo "$DEMO" >/dev/null 2>&1 && return
    rm -rf "$DEMO"
    shown "make the demo repository in $DEMO" "$1/glovebox-cli" demo "$DEMO" >&2 ||
        die "The demo repository could not be made."
}

run_headless() {
    local programs=$1 code=0
    shift
    say "-- no display: the task $DEMO/demo.task.md runs here, in a real srt sandbox"
    "$programs/glovebox-cli" run "$DEMO/demo.task.md" "$@" || code=$?
    cat <<EOF

What to look at next:
  git -C $DEMO log --oneline --all                    the branch that came back
  $programs/glovebox-cli runs list                    this run and those before it
  $programs/glovebox-cli runs show last               its outcome, evidence and stages
  $programs/glovebox-cli run $DEMO/liar.task.md       an agent that claims what is not true
  $programs/glovebox-cli doctor                       what this machine can do
EOF
    return "$code"
}
