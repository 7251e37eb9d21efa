# shellcheck shell=bash disable=SC2034 # the other parts read the lists
# SPDX-FileCopyrightText: Glovebox contributors
# SPDX-License-Identifier: Apache-2.0
# System packages. Debian and Ubuntu: installs what is missing. Elsewhere: says what is missing and how to get it.

# Either PACKAGE or COMMAND:PACKAGE (then the command is enough, wherever it came from); a|b means the first there is.
BUILD_NEEDS=(c++:g++ cmake:cmake ninja:ninja-build pkg-config:pkg-config git:git ccache:ccache
    ca-certificates qt6-base-dev 'qt6-svg-dev|libqt6svg6-dev' 'qt6-websockets-dev|libqt6websockets6-dev'
    qt6-tools-dev qt6-tools-dev-tools qt6-l10n-tools libqt6sql6-sqlite qcoro-qt6-dev qtkeychain-qt6-dev
    libgit2-dev libyaml-dev libre2-dev libicu-dev zlib1g-dev libtomlplusplus-dev libexpected-dev)
RUN_NEEDS=(npm:npm bwrap:bubblewrap socat:socat rg:ripgrep ps:procps)
TEST_NEEDS=(python3:python3)
CHECK_NEEDS=('clang-format-16|clang-format' 'clang-16|clang' 'clang-tidy-16|clang-tidy' 'libclang-rt-16-dev|libclang-rt-dev'
    shellcheck:shellcheck)

installed_packages() {
    dpkg-query -W -f='${Package} ${db:Status-Status}\n' "$@" 2>/dev/null | sed -n 's/ installed$//p'
}

# Prints the needs that are not met, one per line, as a|b.
missing_needs() {
    local need command names="" wanted="" found
    for need in "$@"; do
        case $need in
        *:*)
            command=${need%%:*}
            have "$command" || wanted="$wanted ${need#*:}"
            ;;
        *) wanted="$wanted $need" ;;
        esac
    done
    [ -n "$wanted" ] || return 0
    names=$(echo "$wanted" | tr '|' ' ')
    # shellcheck disable=SC2086 # a list of names
    found=" $(installed_packages $names | tr '\n' ' ') "
    for need in $wanted; do
        one_is_in "$need" "$found" || echo "$need"
    done
}

one_is_in() {
    local name
    for name in $(echo "$1" | tr '|' ' '); do
        case $2 in *" $name "*) return 0 ;; esac
    done
    return 1
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        env DEBIAN_FRONTEND=noninteractive "$@"
    elif have sudo; then
        sudo env DEBIAN_FRONTEND=noninteractive "$@"
    else
        say "root rights are needed for: $*"
        return 1
    fi
}

APT_UPDATED=
apt_update_once() {
    [ -z "$APT_UPDATED" ] || return 0
    step "apt: refresh the package lists" as_root apt-get -q update || return 1
    APT_UPDATED=yes
}

apt_offers() { apt-cache show "$1" >/dev/null 2>&1; }

# The first of a|b that the lists offer; the first one when none is, so that apt names it in its error.
apt_choice() {
    local name
    for name in $(echo "$1" | tr '|' ' '); do
        if apt_offers "$name"; then
            echo "$name"
            return
        fi
    done
    echo "${1%%|*}"
}

apt_install() {
    local need names=()
    apt_update_once || return 1
    for need in "$@"; do
        names+=("$(apt_choice "$need")")
    done
    step "apt: install ${names[*]}" as_root apt-get -q -y --no-install-recommends install "${names[@]}"
}

# install_packages NEEDS…: only what is missing, and apt only when something is.
install_packages() {
    local missing
    if ! on_debian; then
        say_what_is_missing
        return
    fi
    missing=$(missing_needs "$@")
    [ -n "$missing" ] || return 0
    # shellcheck disable=SC2086 # one name per line
    apt_install $missing || die "these packages are needed: ${missing//$'\n'/ }
Install them by hand (apt-get install …) and call this again."
}

# Where there is no apt: what cannot be found, and the names that Fedora and Homebrew have for it.
ELSEWHERE="command:cmake:cmake:cmake command:ninja:ninja-build:ninja command:c++:gcc-c++:llvm command:git:git:git
    command:npm:nodejs-npm:node command:python3:python3:python command:pkg-config:pkgconf:pkgconf
    command:rg:ripgrep:ripgrep pkg:libgit2:libgit2-devel:libgit2 pkg:yaml-0.1:libyaml-devel:libyaml
    pkg:re2:re2-devel:re2 pkg:icu-uc:libicu-devel:icu4c pkg:zlib:zlib-devel:zlib pkg:tomlplusplus:tomlplusplus-devel:tomlplusplus
    cmake:Qt6:qt6-qtbase-devel:qt cmake:Qt6Svg:qt6-qtsvg-devel:qt cmake:Qt6WebSockets:qt6-qtwebsockets-devel:qt
    cmake:QCoro6:qcoro-qt6-devel:- cmake:Qt6Keychain:qtkeychain-qt6-devel:qtkeychain cmake:tl-expected:expected-devel:-
    cmake:KF6SyntaxHighlighting:kf6-syntax-highlighting-devel:-"

found_elsewhere() {
    case $1 in
    command) have "$2" ;;
    pkg) have pkg-config && pkg-config --exists "$2" ;;
    cmake) cmake_package "$2" ;;
    esac
}

cmake_package() {
    local prefix folder
    for prefix in /usr /usr/local /opt/homebrew ${CMAKE_PREFIX_PATH:+"${CMAKE_PREFIX_PATH%%:*}"}; do
        for folder in "$prefix"/lib/cmake/"$1" "$prefix"/lib64/cmake/"$1" "$prefix"/share/cmake/"$1" "$prefix"/lib/*/cmake/"$1"; do
            [ ! -d "$folder" ] || return 0
        done
    done
    return 1
}

say_what_is_missing() {
    local row kind name fedora brew count=0 linux_only=""
    [ "$(uname -s)" = Linux ] && linux_only="command:bwrap:bubblewrap:- command:socat:socat:-"
    for row in $ELSEWHERE $linux_only; do
        IFS=: read -r kind name fedora brew <<<"$row"
        found_elsewhere "$kind" "$name" && continue
        count=$((count + 1))
        [ "$brew" = - ] && brew="(none: build it from its source)"
        say "missing: $name    Fedora: dnf install $fedora    Homebrew: brew install $brew"
    done
    [ "$count" -eq 0 ] || warn "$count things above were not found. There is no apt here to install them with; going on without them."
}

# srt builds its sandboxes of namespaces, which a system may keep from programs. Only it can allow them.
check_namespaces() {
    [ "$(uname -s)" = Linux ] && have bwrap || return 0
    bwrap --unshare-user --unshare-pid --ro-bind / / true 2>/dev/null && return 0
    warn "bwrap can't make the namespaces that srt's sandboxes are built of, so no task will run in one here.
On Ubuntu 24.04 and newer give it the AppArmor profile that allows them:
  sudo apt-get install apparmor-profiles
  sudo ln -s /usr/share/apparmor/extra-profiles/bwrap-userns-restrict /etc/apparmor.d/
  sudo apparmor_parser -r /etc/apparmor.d/bwrap-userns-restrict
Elsewhere: sudo sysctl kernel.unprivileged_userns_clone=1; in a container, start it with namespaces allowed."
}
