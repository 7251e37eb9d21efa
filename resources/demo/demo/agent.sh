#!/bin/sh
# A scripted stand-in for a coding agent: reads the task on its standard input and plays one part.
task=$(cat)
echo "Task: $(printf '%s' "$task" | head -n 1)"
case $1 in
good)
    echo "Reading greet.sh and its test."
    cat > greet.sh <<'END'
#!/bin/sh
# Greets whoever is named, else a stranger.
echo "Hello, ${1:-stranger}"
END
    git commit -q -a -m 'Greet by name' && echo "Done: greet.sh greets by name."
    ;;
liar)
    cat > greet.sh <<'END'
#!/bin/sh
# Greets whoever is named, else a stranger.
echo "Hello, World"
END
    git commit -q -a -m 'Greet by name' && echo "Done: all tests pass."
    ;;
idle)
    echo "I looked at everything and there is nothing to do."
    ;;
blocked)
    printf '# Blocked\n\nThe task names `greetings.csv`, which is not in this repository.\n' > BLOCKED.md
    git add BLOCKED.md && git commit -q -m 'Say what is missing' && echo "I could not go on: see BLOCKED.md."
    ;;
esac
