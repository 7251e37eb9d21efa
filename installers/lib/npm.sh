# shellcheck shell=bash
# SPDX-FileCopyrightText: Glovebox contributors
# SPDX-License-Identifier: Apache-2.0
# Node and srt (tools), claude and codex (agents, for the suites that run them), each from its lockfile into
#   CACHE/tools-DIGEST/node_modules/{node/bin/node,.bin/srt}
#   CACHE/agents-DIGEST/node_modules/.bin/{claude,codex}
# DIGEST is that of package-lock.json, so a folder never changes once it is there, and clones share it.
# cmake/Tools.cmake computes the same names.

NODE_VERSION=22.23.2
SRT_VERSION=0.0.83

npm_folder() { echo "$(cache_folder)/$1-$(digest <"$ROOT/installers/npm/$1/package-lock.json")"; }

npm_ci() {
    # Scripts of packages are off whatever npm's own setting is; the one that is needed is called by name below.
    npm ci --prefix "$1" --ignore-scripts --no-audit --no-fund --no-update-notifier --loglevel=error
}

# fill WHICH FOLDER FINISH: into a folder beside it first, so that a broken or a parallel call leaves no half.
fill() {
    local which=$1 folder=$2 finish=$3 draft
    mkdir -p "$(dirname "$folder")" || return 1
    draft=$(mktemp -d "$folder.XXXXXX") || return 1
    cp "$ROOT/installers/npm/$which/package.json" "$ROOT/installers/npm/$which/package-lock.json" "$draft/"
    if ! { npm_ci "$draft" && "$finish" "$draft"; }; then
        rm -rf "$draft"
        return 1
    fi
    chmod -R a+rX "$draft"
    touch "$draft/complete"
    [ ! -e "$folder/complete" ] || {
        rm -rf "$draft"
        return 0
    }
    rm -rf "$folder"
    mv "$draft" "$folder"
}

# One name for Node on every system: npm has it in a package per system and processor.
finish_tools() {
    local node version
    node=$(find "$1"/node_modules/node-*/bin/node 2>/dev/null | head -n 1)
    [ -n "$node" ] || {
        echo "npm has no Node $NODE_VERSION for $(uname -s) on $(uname -m)"
        return 1
    }
    mkdir -p "$1/node_modules/node/bin" && ln -f "$node" "$1/node_modules/node/bin/node" || return 1
    version=$("$1/node_modules/node/bin/node" -v)
    [ "$version" = "v$NODE_VERSION" ] || {
        echo "Node says $version, not v$NODE_VERSION"
        return 1
    }
    expect_version "$1" @anthropic-ai/sandbox-runtime "$SRT_VERSION"
}

# Claude Code's own install step puts the program for this system in its place.
finish_agents() {
    local node=$GLOVEBOX_TOOLS_DIR/node_modules/node/bin/node
    (cd "$1/node_modules/@anthropic-ai/claude-code" && "$node" install.cjs) || return 1
    PATH=$(dirname "$node"):$PATH "$1/node_modules/.bin/claude" --version || return 1
    PATH=$(dirname "$node"):$PATH "$1/node_modules/.bin/codex" --version
}

expect_version() {
    local found
    found=$(sed -n 's/^ *"version": *"\([^"]*\)".*/\1/p' "$1/node_modules/$2/package.json" | head -n 1)
    [ "$found" = "$3" ] || {
        echo "$2 is $found, not $3"
        return 1
    }
}

install_tools() {
    GLOVEBOX_TOOLS_DIR=$(npm_folder tools)
    export GLOVEBOX_TOOLS_DIR
    [ -e "$GLOVEBOX_TOOLS_DIR/complete" ] ||
        step "npm: Node $NODE_VERSION and srt $SRT_VERSION" fill tools "$GLOVEBOX_TOOLS_DIR" finish_tools ||
        die "Node and srt could not be had from npm; without them no task runs in an srt sandbox."
}

install_agents() {
    GLOVEBOX_AGENTS_DIR=$(npm_folder agents)
    export GLOVEBOX_AGENTS_DIR
    [ -e "$GLOVEBOX_AGENTS_DIR/complete" ] ||
        step "npm: the agents claude and codex, for the tests" fill agents "$GLOVEBOX_AGENTS_DIR" finish_agents ||
        complain "The agents could not be had from npm; the suites labelled agents will fail."
}
