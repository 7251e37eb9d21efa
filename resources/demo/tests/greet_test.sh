#!/bin/sh
# Fails with 1 and a sentence when the greeting is not as expected.
expect() {
    wanted=$1
    shift
    seen=$(sh greet.sh "$@")
    if [ "$seen" != "$wanted" ]; then
        echo "greet.sh $*: expected \"$wanted\", got \"$seen\""
        exit 1
    fi
    echo "ok: $wanted"
}
expect 'Hello, World' World
expect 'Hello, stranger'
