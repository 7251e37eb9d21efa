#!/bin/sh
# SPDX-FileCopyrightText: Glovebox contributors
# SPDX-License-Identifier: Apache-2.0
# Runs one suite with a HOME, configuration and temporary folder of its own, which are gone afterwards, or stay in
# the folder that GLOVEBOX_KEEP_TESTS names (a short path: sockets lie below it).
home=$(mktemp -d "${GLOVEBOX_KEEP_TESTS:-${TMPDIR:-/tmp}}/gb-test-XXXXXX") || exit 1
[ -n "$GLOVEBOX_KEEP_TESTS" ] || trap 'chmod -R u+rwX "$home" 2>/dev/null; rm -rf "$home"' EXIT
trap 'exit 143' TERM INT
mkdir -p "$home/tmp"
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE XDG_CONFIG_HOME XDG_DATA_HOME XDG_CACHE_HOME HTTP_PROXY HTTPS_PROXY http_proxy https_proxy
HOME=$home TMPDIR=$home/tmp GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=$home/.gitconfig \
GIT_AUTHOR_NAME=Tester GIT_AUTHOR_EMAIL=tester@example.com GIT_COMMITTER_NAME=Tester GIT_COMMITTER_EMAIL=tester@example.com \
    "$@" &
child=$!
wait "$child"
