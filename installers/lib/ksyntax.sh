# shellcheck shell=bash
# SPDX-FileCopyrightText: Glovebox contributors
# SPDX-License-Identifier: Apache-2.0
# KSyntaxHighlighting for Qt 6: the system's package where there is one, else the distribution's own source of
# 5.116, which builds with Qt 6 as well, as a static library in the cache folder.

KSYNTAX_NEEDS=(extra-cmake-modules perl:perl xz:xz-utils)

# The cache folder's part that CMake looks into; a library belongs to the Qt it was built with.
ksyntax_prefix() { echo "$(cache_folder)/ksyntaxhighlighting-qt$(qt_version)"; }

qt_version() {
    local tool
    for tool in qtpaths6 /usr/lib/qt6/bin/qtpaths qmake6; do
        if have "$tool"; then
            case $tool in
            qmake6) "$tool" -query QT_VERSION ;;
            *) "$tool" --qt-version ;;
            esac
            return
        fi
    done
    echo unknown
}

# Releases whose source is tried, the machine's own last: Debian 12's 5.103 is often no longer served.
ksyntax_releases() {
    case $1 in
    bookworm) echo "trixie bookworm" ;;
    noble) echo "noble oracular plucky" ;;
    *) echo "$1" ;;
    esac
}

# The machine's own archive as "address|release|keyring", without reading its list files by hand.
own_archive() {
    # shellcheck disable=SC2016 # apt's own placeholders
    apt-get indextargets --format '$(REPO_URI)|$(CODENAME)|$(SIGNED_BY)' \
        'Identifier: Packages' 'Component: main' 2>/dev/null |
        grep -E "\|$(. /etc/os-release && echo "${VERSION_CODENAME:-none}")\|" | head -n 1
}

own_keyring() {
    case $1 in
    /*) echo "$1" ;;
    *) ls /usr/share/keyrings/"$(. /etc/os-release && echo "$ID")"-archive-keyring.gpg 2>/dev/null ;;
    esac
}

# fetch_source RELEASE FOLDER: the source tarball, checked by apt against that release's signed list. A list, a
# cache and a state of our own: /etc/apt stays as it is.
fetch_source() {
    local release=$1 folder=$2 archive address keyring
    archive=$(own_archive)
    address=${archive%%|*}
    keyring=$(own_keyring "${archive##*|}")
    [ -n "$address" ] || {
        echo "this machine's package lists name no archive of its own"
        return 1
    }
    mkdir -p "$folder/lists/partial" "$folder/cache/archives/partial"
    {
        printf 'Types: deb-src\nURIs: %s\nSuites: %s\nComponents: main universe\n' "$address" "$release"
        [ -z "$keyring" ] || printf 'Signed-By: %s\n' "$keyring"
    } >"$folder/own.sources"
    [ "$(. /etc/os-release && echo "$ID")" = ubuntu ] || sed -i.bak 's/ universe$//' "$folder/own.sources"
    (cd "$folder" && private_apt "$folder" update && private_apt "$folder" source --download-only --tar-only ksyntax-highlighting)
}

private_apt() {
    local folder=$1
    shift
    apt-get -q -o Dir::Etc::sourcelist="$folder/own.sources" -o Dir::Etc::sourceparts=- \
        -o Dir::State::lists="$folder/lists" -o Dir::Cache="$folder/cache" -o APT::Sandbox::User=root \
        -o APT::Get::List-Cleanup=0 "$@"
}

# Its request for the very same version of KDE's CMake modules is lowered to what is installed; these modules only
# find packages and set flags.
build_source() {
    local folder=$1 prefix=$2 source
    tar -C "$folder" -xf "$folder"/ksyntax-highlighting_*.orig.tar.* || return 1
    source=$(find "$folder" -maxdepth 1 -type d -name 'syntax-highlighting-*' | head -n 1)
    sed -i.bak -E 's/find_package\(ECM [0-9.]+ /find_package(ECM 5.90 /' "$source/CMakeLists.txt"
    CCACHE_BASEDIR=$source cmake -S "$source" -B "$folder/build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_INSTALL_PREFIX="$prefix" -DKDE_INSTALL_LIBDIR=lib -DBUILD_SHARED_LIBS=OFF -DCMAKE_POSITION_INDEPENDENT_CODE=ON \
        -DBUILD_WITH_QT6=ON -DQT_MAJOR_VERSION=6 -DBUILD_TESTING=OFF -DKDE_SKIP_TEST_SETTINGS=ON \
        -DCMAKE_DISABLE_FIND_PACKAGE_Qt6Quick=ON -DCMAKE_DISABLE_FIND_PACKAGE_Qt6Widgets=ON \
        -DCMAKE_DISABLE_FIND_PACKAGE_Qt6PrintSupport=ON || return 1
    cmake --build "$folder/build" -j "$(jobs_wanted)" || return 1
    cmake --install "$folder/build"
}

build_ksyntax() {
    local prefix=$1 release folder draft
    folder=$(mktemp -d "${TMPDIR:-/tmp}/ksyntax-XXXXXX")
    for release in $(ksyntax_releases "$(. /etc/os-release && echo "${VERSION_CODENAME:-none}")"); do
        fetch_source "$release" "$folder" && break
        rm -rf "${folder:?}"/*
    done
    draft=$prefix.$$
    if build_source "$folder" "$draft"; then
        chmod -R a+rX "$draft"
        rm -rf "$folder" "$prefix"
        mv "$draft" "$prefix"
        return 0
    fi
    rm -rf "$folder" "$draft"
    return 1
}

install_ksyntax() {
    local prefix
    prefix=$(ksyntax_prefix)
    [ ! -d "$prefix/include" ] || return 0
    on_debian || return 0
    [ -z "$(installed_packages libkf6syntaxhighlighting-dev)" ] || return 0
    apt_update_once || return 0
    if apt_offers libkf6syntaxhighlighting-dev; then
        install_packages libkf6syntaxhighlighting-dev
        return
    fi
    install_packages "${KSYNTAX_NEEDS[@]}"
    step "KSyntaxHighlighting for Qt $(qt_version): build from the distribution's source" build_ksyntax "$prefix" ||
        complain "KSyntaxHighlighting could not be built; Glovebox will show code without syntax colours."
}
