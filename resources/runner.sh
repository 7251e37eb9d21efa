#!/bin/sh
# SPDX-FileCopyrightText: Glovebox contributors
# SPDX-License-Identifier: Apache-2.0
# The runner: runs commands inside a sandbox, the same way on every backend. Called as
# `sh /absolute/runner VERB ARGUMENTS`. Arguments are of [A-Za-z0-9/_.-] only; odd paths come as OCT,
# three octal digits a byte. A job is a folder, 0700, named by its command id:
#   sup, pid         supervisor and command: "PID START"; the start time, because numbers are reused
#   limit, started   seconds, read at each tick; the command itself was reached
#   out, err         what it wrote, up to the cap; beyond it X.lost counts and X.tail keeps 64 KiB
#   X.full, X.eof    the disk was full; the stream has ended
#   timeout, killed  marks of ours: why it ended is never guessed from a code
#   status           "KIND CODE closed|open MILLISECONDS", written last
umask 077
FRAME=49152 # bytes of output in one frame
nl='
'
look() { # PID: sets state, parent, group, session, begun; fails when it is gone
    stat=
    { while IFS= read -r line || [ -n "$line" ]; do stat="$stat$line "; done <"/proc/$1/stat"; } 2>/dev/null
    set -- ${stat##*) } # a name may hold blanks, brackets, newlines
    state=$1 parent=$2 group=$3 session=$4 begun=${20:-0}; case $state in '' | Z | X) return 1 ;; esac
}
if [ "$1" = child ]; then # JOB: becomes the command; a session of its own, an empty environment
    export GLOVEBOX_JOB="$2" # the mark by which all that descends from it is found
    look self
    echo "$$ $begun" >"$2/pid.t" && mv "$2/pid.t" "$2/pid"
    # Read whole first: the file is gone before the command runs, and PATH may change in it.
    set -- "$2" "$(cat "$2/keep.sh" "$2/job.sh" || echo exit 125)"
    rm -f "$1/job.sh" "$1/keep.sh" "$1/in"
    eval "$2" # cd, exports, set -- argv; from here on no variable of ours is needed
    : >"$GLOVEBOX_JOB/started"
    exec "$@"
fi
me=$0 verb=$1; [ $# -gt 0 ] && shift
LC_ALL=C PATH=${PATH:-/usr/local/bin:/usr/bin:/bin}
sh=$(command -v sh); case $sh in /*) ;; *) sh=/bin/sh ;; esac
# Root in a nested namespace may see another one's /proc: then its numbers are strangers'.
proc=no; { read -r self _ </proc/self/stat; } 2>/dev/null && [ "$self" = $$ ] && proc=yes
# Asked only where it is needed: each program costs a start, and most calls are short.
case $verb in info | start | run | supervise)
    setsid=setsid; command -v $setsid >/dev/null || { setsid="busybox setsid"; $setsid true 2>/dev/null; } || setsid= ;; esac
coding=hex; encode() { printf :; od -An -v -tx1 | tr -d ' \n'; }
case $verb in info | follow)
    [ "$(printf a | base64 -w 0 2>/dev/null)" = YQ== ] && coding=base64 && encode() { base64 -w 0; } ;; esac
nap() { sleep "${1:-0.05}" 2>/dev/null || sleep 1; }
now() { # sets $now, hundredths of a second
    if { read -r now _ </proc/uptime; } 2>/dev/null; then now=${now%.*}${now#*.}; else now=$(date +%s)00; fi
}
size() { stat -c %s "$1" 2>/dev/null || wc -c <"$1" 2>/dev/null || echo 0; }
number() { [ "$1" -ge 0 ] 2>/dev/null; }
await() { # NAPS FILE FILE: until one of them is there; first looks often, as most wait for little
    naps=-10
    until [ -e "$2" ] || [ -e "$3" ]; do
        if [ $((naps += 1)) -le 0 ]; then nap 0.005; elif [ $naps -le "$1" ]; then nap; else return 1; fi
    done
}
quote() { # one shell word
    rest=$1
    while [ "${rest#*"'"}" != "$rest" ]; do printf "'%s'\\\\'" "${rest%%"'"*}"; rest=${rest#*"'"}; done
    printf "'%s'" "$rest"
}
path() { # OCT: sets $path
    rest=$1 path=
    while [ -n "$rest" ]; do path="$path\\0${rest%"${rest#???}"}" rest=${rest#???}; done
    path=$(printf '%b.' "$path") path=${path%.} # the dot keeps a last newline
}
digest() { # FILE: its SHA-256, or - where nothing can compute it
    for tool in sha256sum 'busybox sha256sum' 'shasum -a 256' 'openssl dgst -sha256 -r'; do
        sum=$($tool <"$1" 2>/dev/null) && { echo "${sum%% *}"; return; }
    done
    echo -
}
# --- processes ---------------------------------------------------------------------------------
procs() { # "PID PARENT GROUP SESSION START" of all that live; nothing where /proc is not ours
    [ $proc = yes ] && for d in /proc/[0-9]*; do
        look "${d#/proc/}" && echo "${d#/proc/} $parent $group $session $begun"
    done
}
targets() { # JOB: its session and group, all below it, all that carry its mark
    read -r leader start <"$1/pid" || return 0
    all=$(procs)
    [ -n "$all" ] || { # then only its group can be reached
        if kill -0 "-$leader"; then echo "-$leader"; elif kill -0 "$leader"; then echo "$leader"; fi
        return 0
    } 2>/dev/null
    set=" $(grep -l -z -F "GLOVEBOX_JOB=$1" /proc/[0-9]*/environ 2>/dev/null | tr -c 0-9 ' ') "
    live= before=-
    while [ "$live" != "$before" ]; do # until a round finds nobody new
        before=$live live=
        while read -r pid parent group session begun; do
            case $set in *" $pid "* | *" $parent "*) ;; *)
                if [ "$pid" = "$leader" ]; then [ "$begun" = "$start" ] || continue
                elif [ "$group" != "$leader" ] && [ "$session" != "$leader" ]; then continue; fi ;;
            esac
            set="$set$pid " live="$live $pid"
        done <<END
$all
END
    done
    echo $live
}
strangers() { # BASELINE: all that was not there, but ourselves, our ancestors and our own children
    all=$(procs) kin=" " pid=$$
    while [ "$pid" -gt 1 ] && look "$pid"; do kin="$kin$pid " pid=$parent; done
    echo "$all" | while read -r pid parent _ _ begun; do
        case $kin in *" $pid "*) continue ;; esac
        [ "$parent" = $$ ] || grep -q -x -F "$pid $begun" "$1" && continue
        kill -0 "$pid" 2>/dev/null && echo "$pid" # the helper that made the list is gone by now
    done
}
reap() { # LISTER ITS-ARGUMENT GRACE: asks, waits, then stops and kills until nobody new appears
    list=$($1 "$2")
    [ -n "$list" ] && { kill -TERM $list; kill -CONT $list; } 2>/dev/null
    now; end=$((now + $3 * 100)) rounds=20
    while [ -n "$list" ] && [ "$now" -lt $end ]; do nap; now; list=$($1 "$2"); done
    while [ -n "$list" ] && [ $rounds -gt 0 ]; do
        kill -STOP $list 2>/dev/null # so that none forks while the others are found
        kill -KILL $list $($1 "$2") 2>/dev/null
        nap; list=$($1 "$2") rounds=$((rounds - 1))
    done
    set -- $list; echo "left $#"
}
alive() { # JOB: is its supervisor there?
    { read -r sup since <"$1/sup" && kill -0 "$sup"; } 2>/dev/null || return 1
    [ $proc = no ] || { look "$sup" && [ "$begun" = "$since" ]; }
}
# --- a job -------------------------------------------------------------------------------------
copy() { # FILE CAP: stdin to FILE as it comes; beyond the cap only a count and the last 64 KiB
    n=0
    while [ $n -lt "$2" ]; do
        blocks=$((($2 - n + 65535) / 65536)); said=$(dd bs=65536 count=$blocks 2>&1 >>"$1") || {
            : >"$1.full" # the command is not held up by a full disk
            wc -c 1<>"$1.lost"; : >"$1.eof"; return
        }
        c=${said##*"$nl"} c=${c%% *} whole=${said%%+*} part=${said#*+} part=${part%% *}
        number "$c" || c=$(($(size "$1") - n)) # a dd that does not say how much
        number "$whole" && number "$part" && [ $((whole + part)) -lt $blocks ] && c=0 # it met the end
        [ "$c" -gt 0 ] || { : >"$1.eof"; return; }; n=$((n + c))
    done
    mkfifo "$1.f"
    wc -c <"$1.f" 1<>"$1.lost" &
    tee "$1.f" | tail -c 65536 >"$1.tail"
    wait; : >"$1.eof"
}
watch() { # JOB: ends its tree when the limit is over; by ticks, so a suspended machine's sleep is free
    ticks=0 tick=; trap 'kill $tick 2>/dev/null; exit' TERM # or a sleep would outlive the job
    while read -r limit <"$1/limit" && [ $ticks -lt "$limit" ]; do
        sleep 1 & tick=$!; wait $tick; ticks=$((ticks + 1))
    done
    : >"$1/timeout"
    reap targets "$1" 5 >/dev/null
}
claim() { # JOB SIDE SECONDS: true for the one who may start it; takes over SIDE.sh and SIDE.in
    mkdir "$1" 2>/dev/null; (set -C; : >"$1/lock") 2>/dev/null || { rm -f "$2.sh" "$2.in"; echo again; return 1; }
    [ -f "$2.in" ] && mv "$2.in" "$1/in"
    echo "$3" >"$1/limit" && mv "$2.sh" "$1/job.sh" && return 0
    echo "nostart 125 closed 0" >"$1/status"; echo failed; return 1
}
supervise() { # JOB CAP MERGE [KEEP...]
    job=$1 cap=$2 merge=$3
    shift 3; cd /
    look self; echo "$$ $begun" >"$job/sup"
    now; since=$now
    printf '%64s\n' '' >"$job/status.t" # room, for when the disk is full
    for s in out err; do : >"$job/$s"; printf '%20s\n' '' >"$job/$s.lost"; done; mkfifo "$job/out.p" "$job/err.p"
    for name in PATH HOME USER LOGNAME SHELL "$@"; do
        eval "value=\${$name-}"
        [ -n "$value" ] && { printf 'export %s=' "$name"; quote "$value"; echo; }
    done >"$job/keep.sh"
    if [ -f "$job/in" ]; then in=$job/in; else in=/dev/null; fi
    copy "$job/out" "$cap" <"$job/out.p" &
    if [ "$merge" = 1 ]; then : >"$job/err.eof"; else copy "$job/err" "$cap" <"$job/err.p" & fi
    watch "$job" &
    watcher=$!
    ( # in a subshell, or the shell's own "Terminated" would be among the command's words
        if [ "$merge" = 1 ]; then exec 2>&1; else exec 2>"$job/err.p"; fi
        exec $setsid env -i "$sh" "$me" child "$job"
    ) <"$in" >"$job/out.p"
    code=$? kind=exit open=open
    if [ -e "$job/timeout" ]; then wait $watcher; else kill $watcher 2>/dev/null; fi
    # What it left behind may hold the pipe: 2 s, then we say so.
    await 40 "$job/out.eof" "$job/out.eof" && await 40 "$job/err.eof" "$job/err.eof" && open=closed
    [ -e "$job/started" ] || kind=nostart
    [ -e "$job/timeout" ] && kind=timeout
    [ -e "$job/killed" ] && kind=killed
    rm -f "$job/out.p" "$job/err.p" "$job/out.f" "$job/err.f" "$job/job.sh" "$job/keep.sh" "$job/in"
    now; echo "$kind $code $open $((now - since))0" 1<>"$job/status.t"
    mv "$job/status.t" "$job/status"
}
# --- what a job wrote, as text frames ----------------------------------------------------------
send() { # LETTER FILE BASE FROM SIZE: frames of FILE, whose first byte is BASE of the stream; sets $at
    at=$4
    while [ "$at" -lt $(($3 + $5)) ] && { [ "$most" = 0 ] || [ $sent -lt "$most" ]; }; do
        skip=$(((at - $3) % FRAME)) n=$(($3 + $5 - at))
        [ $n -le $((FRAME - skip)) ] || n=$((FRAME - skip))
        printf '%s %s ' "$1" "$at"
        dd bs=$FRAME skip=$(((at - $3) / FRAME)) count=1 <"$2" 2>/dev/null |
            if [ $n = $FRAME ]; then encode; else tail -c +$((skip + 1)) | head -c $n | encode; fi
        echo
        at=$((at + n)) sent=$((sent + n))
    done
}
stream() { # LETTER FILE FROM SIZE: all there is; when it has ended also the gap and the tail; sets $at
    send "$1" "$2" 0 "$3" "$4"
    [ "$at" -ge "$4" ] || more=1
    [ -n "$status" ] && [ -z "$more" ] && [ -e "$2.eof" ] || return 0
    read -r lost <"$2.lost" && number "$lost" && [ "$lost" -gt 0 ] || return 0
    tail=0; [ -f "$2.tail" ] && tail=$(size "$2.tail")
    from=$(($4 + lost - tail)) missing=$((missing + lost - tail))
    [ "$at" -ge $from ] || { echo "g $1 $at $from"; at=$from; }
    send "$1" "$2.tail" $from "$at" "$tail"
    [ "$at" -ge $(($4 + lost)) ] || more=1
}
follow() { # JOB OUT ERR SECONDS [MOST]: with MOST it is asked in turns, so it ends with the news
    job=$1 o=$2 e=$3 wait=$4 most=${5:-0} sent=0 quiet=0
    [ -e "$job/lock" ] || { echo "s unknown"; return; }
    await 200 "$job/sup" "$job/status" || { echo "s lost"; return; }
    now; since=$now
    while :; do
        status= more= missing=0 before=$o.$e
        [ -e "$job/status" ] && read -r status <"$job/status" # before the sizes, so none is missed
        set -- $(stat -c %s "$job/out" "$job/err" 2>/dev/null || { size "$job/out"; size "$job/err"; })
        stream o "$job/out" "$o" "$1"; o=$at
        [ -n "$more" ] || { stream e "$job/err" "$e" "$2"; e=$at; }
        [ -n "$status" ] && [ -z "$more" ] && { echo "s $status $o $e $missing"; return; }
        [ -n "$more" ] && break
        [ -n "$status" ] || alive "$job" || [ -e "$job/status" ] || { echo "s lost"; return; }
        now
        [ $((now - since)) -lt $((wait * 100)) ] || break
        [ "$most" = 0 ] || [ $sent = 0 ] || [ $((now - since)) -lt 30 ] || break
        [ "$o.$e" = "$before" ] || quiet=0
        quiet=$((quiet + 1))
        [ $((quiet % 100)) = 0 ] && echo h
        if [ $quiet -le 10 ]; then nap 0.005; elif [ $quiet -le 20 ]; then nap; else nap 0.1; fi
    done
    echo "s running"
}
# --- files -------------------------------------------------------------------------------------
place() { # SIDE OCT MODE SHA256: moved to its place whole, or not at all
    path "$2"
    beside=${path%/*}/.${1##*/} # renaming is whole only within one file system
    if [ -f "$1" ]; then sum=$(digest "$1"); else sum=$(digest "$path"); fi
    if [ "$sum" = - ]; then echo "failed digest"
    elif [ "$sum" != "$4" ]; then echo damaged
    elif [ ! -f "$1" ]; then echo ok # asked again: it is there already
    elif [ -d "$path" ]; then echo "failed folder"
    elif mkdir -p "${path%/*}/" && { ln "$1" "$beside" || cp "$1" "$beside"; } &&
        chmod "$3" "$beside" && mv -f "$beside" "$path"; then echo ok
    else echo "failed write"; fi 2>/dev/null
    rm -f "$1" "$beside"
}
offer() { # OCT SIDE MOST: a copy that nothing writes to any more; "ok SIZE SHA256"
    path "$1"
    if [ -L "$path" ]; then echo "refused link"
    elif [ ! -e "$path" ]; then echo "refused missing"
    elif [ ! -f "$path" ]; then echo "refused kind"
    elif ! head -c $(($3 + 1)) <"$path" >"$2"; then rm -f "$2"; echo "refused read"
    elif [ "$(size "$2")" -gt "$3" ]; then rm -f "$2"; echo "refused large"
    else echo "ok $(size "$2") $(digest "$2")"; fi 2>/dev/null
}
answer() { # NAME VERB ARGUMENTS
    name=$1; shift
    "$sh" "$me" "$@" </dev/null >"$folder/$name.t" && mv "$folder/$name.t" "$folder/$name" && echo "$name"
}
case $verb in
info)
    [ "$(digest /dev/null)" = - ] && sum=none || sum=yes
    echo "gbx 1 sh=$sh setsid=${setsid:-none} base64=$coding sha256=$sum proc=$proc uid=$(id -u)" ;;
start | run) # JOB SIDE SECONDS CAP MERGE [KEEP...]: once; what `start` starts outlives this call
    claim "$@" || exit 0
    job=$1; shift 3
    [ $verb = start ] || { supervise "$job" "$@"; echo ok; exit; }
    # A session leader that calls setsid again forks. No `&`: that would leave SIGINT ignored inside.
    if [ -n "$setsid" ]; then $setsid $setsid "$sh" "$me" supervise "$job" "$@" </dev/null >/dev/null 2>&1
    else "$sh" "$me" supervise "$job" "$@" </dev/null >/dev/null 2>&1 & fi
    await 200 "$job/pid" "$job/status" && echo ok || echo failed ;;
supervise | follow | place | offer) $verb "$@" ;;
limit) # JOB SECONDS, counted from its start
    [ -e "$1/lock" ] && echo "$2" >"$1/limit.t" && mv "$1/limit.t" "$1/limit" && echo ok || echo failed ;;
kill) # JOB GRACE
    [ -e "$1/lock" ] || { echo "left 0"; exit; }
    [ -e "$1/status" ] || : >"$1/killed"
    await 200 "$1/pid" "$1/status"
    reap targets "$1" "${2:-5}" ;;
baseline) procs | while read -r pid _ _ _ begun; do echo "$pid $begun"; done ;;
sweep) # BASELINE GRACE; never without one: it would end what the backend itself runs
    if [ $proc = no ]; then echo "failed proc"
    elif [ -s "$1" ]; then reap strangers "$1" "${2:-2}"
    else echo "failed baseline"; fi ;;
drop) rm -f "$@"; echo ok ;;
serve) # FOLDER: lines "NAME VERB ARGUMENTS"; NAME is printed when the answer is in FOLDER/NAME
    folder=$1
    while read -r name verb rest; do
        case $verb in # in the background SIGINT would stay ignored in what it starts
        start) answer "$name" start $rest ;;
        ?*) answer "$name" "$verb" $rest & ;;
        esac
    done ;;
*) echo "failed verb" ;;
esac
