# SPDX-License-Identifier: Apache-2.0
"""A host of models that does one thing wrong, for the tests of the download client.

    python3 fault_host.py LOGS     prints its port, serves until its standard input ends

The first part of a request's path is the fault, the second a run's own number:
/<fault>/<run>/v1beta2/projects/p/models/m:download. The file LOGS/<run> gets a line for each of
the run's requests. Faults of the question for the latest version are in INFORMATION, those of the file in FILE;
what neither knows is a healthy host.
"""

import gzip
import hashlib
import json
import random
import socket
import sys
import threading
import time

MODEL = b"\x1c\x00\x00\x00TFL3" + random.Random(1).randbytes(300_000)
OTHER = b"\x1c\x00\x00\x00TFL3" + random.Random(2).randbytes(300_000)
SHA256 = hashlib.sha256(MODEL).hexdigest()
FAR, PAST = "2099-01-01T00:00:00.000Z", "2001-01-01T00:00:00Z"

runs_lock = threading.Lock()
runs = {}


class Exchange:
    """One request and the socket it came over."""

    def __init__(self, connection, method, path, headers):
        self.connection, self.method, self.path, self.headers = connection, method, path, headers
        parts = path.split("?")[0].split("/")
        self.fault, self.run = parts[1], parts[2] if len(parts) > 2 else ""
        self.rest = "/".join(parts[3:])
        self.is_file = self.rest.startswith("blob/")
        with runs_lock:
            log = runs.setdefault(self.run, [])
            #: How many requests of this kind came before.
            self.earlier = sum(1 for line in log if f"/{self.fault}/" in line
                               and ("blob/" in line) == self.is_file)
            log.append(f"{method} {path} range={headers.get('range', '-')} "
                       f"if-range={headers.get('if-range', '-')} "
                       f"if-none-match={headers.get('if-none-match', '-')} "
                       f"authorization={headers.get('authorization', '-')}")
            with open(f"{sys.argv[1]}/{self.run or 'none'}", "a", encoding="latin-1") as lines:
                lines.write(log[-1] + "\n")

    @property
    def base(self):
        return f"http://127.0.0.1:{PORT}/{self.fault}/{self.run}"

    def send(self, data):
        self.connection.sendall(data)

    def head(self, status, headers, length=None):
        lines = [f"HTTP/1.1 {status} X", "Connection: close"]
        if length is not None:
            lines.append(f"Content-Length: {length}")
        lines += [f"{name}: {value}" for name, value in headers]
        self.send(("\r\n".join(lines) + "\r\n\r\n").encode("latin-1"))

    def answer(self, status, headers=(), body=b""):
        self.head(status, list(headers), len(body))
        if self.method != "HEAD":
            self.send(body)

    def reset(self):
        """Ends the connection with RST instead of FIN."""
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")

    def stall(self):
        time.sleep(60)


def document(exchange, **changes):
    """The answer to the question for the latest version."""
    content = {"downloadUri": exchange.base + "/blob/m.tflite", "expireTime": FAR,
               "sizeBytes": str(len(MODEL)), "sha256": SHA256}
    content.update(changes)
    return json.dumps({k: v for k, v in content.items() if v is not None}).encode()


def information(exchange, body=None, etag=f'"{SHA256}"', status=200, headers=(), **changes):
    body = document(exchange, **changes) if body is None else body
    tag = [("ETag", etag)] if etag is not None else []
    exchange.answer(status, tag + [("Content-Type", "application/json"), *headers], body)


def file(exchange, data=MODEL, etag='"m1"', cut=None, pause=0):
    """The file or the part that is asked for, or `cut` bytes of it; `pause` between pieces."""
    start, tag = 0, [("ETag", etag)] if etag else []
    wanted = exchange.headers.get("range", "")
    if wanted.startswith("bytes=") and exchange.headers.get("if-range", etag) == etag:
        start = int(wanted[6:].rstrip("-"))
        tag.append(("Content-Range", f"bytes {start}-{len(data) - 1}/{len(data)}"))
    body = data[start:]
    exchange.head(206 if start else 200, tag, len(body))
    body = body if cut is None else body[:cut]
    size = 30_000 if pause else len(body)
    for piece in range(0, len(body), size or 1):
        exchange.send(body[piece:piece + size])
        time.sleep(pause)


def redirect(exchange, location, status=302, headers=()):
    exchange.answer(status, [("Location", location), *headers])


#: Where no redirect leads.
LOCATIONS = ["", " ", "//", "///x", "////127.0.0.1", "http:", "http:/", "http:x", "?", "#", "?%zz",
             "/%zz?%", "/x?[]|{}\\^`", "http://[::1", "http://a:b:c/", "//127.0.0.1:99999999/",
             "http://127.0.0.1:99999/", "http://\x7f/", "\xff\xfe", "javascript:alert(1)", "data:,x",
             "http://user:secret@127.0.0.1:1/x", "http://" + "a" * 70_000, "x" * 70_000, "a b c",
             "/\x01", "1", "..", "%2e%2e/", "mailto:x@y"]


def then(first, rest):
    """`first` for the first request of a kind, `rest` for those after it."""
    return lambda e: (first if e.earlier == 0 else rest)(e)


def cut_and_reset(exchange):
    file(exchange, cut=100_000)
    time.sleep(0.3)
    exchange.reset()


def slowly(exchange, data, pause):
    for byte in data:
        exchange.send(bytes([byte]))
        time.sleep(pause)


def endless(exchange):
    exchange.head(200, [])
    exchange.send(MODEL)
    for _ in range(2_000):
        exchange.send(bytes(65536))


def chunked(exchange, pieces):
    exchange.head(200, [("Transfer-Encoding", "chunked")])
    for piece in pieces:
        exchange.send(piece)


def chunk(data):
    return b"%x\r\n%s\r\n" % (len(data), data)


def packed(exchange, data):
    exchange.answer(200, [("Content-Encoding", "gzip")], data)


def expired(exchange):
    """The first answer's address has expired, that of the second works."""
    first = exchange.earlier == 0
    information(exchange, expireTime=PAST if first else FAR,
                downloadUri=f"{exchange.base}/blob/{'old' if first else 'new'}")


def error(status, message="no"):
    return lambda e: e.answer(status, [("Content-Type", "application/json")],
                              json.dumps({"error": {"message": message}}).encode())


def if_none_match(exchange):
    if exchange.headers.get("if-none-match") == f'"{SHA256}"':
        return exchange.answer(304, [("ETag", f'"{SHA256}"')])
    return information(exchange)


def page(exchange):
    exchange.answer(200, [("ETag", '"m1"'), ("Content-Type", "text/html")],
                    b"<html>Sign in to the airport's network</html>")


INFORMATION = {
    "info-reset": lambda e: e.reset(),
    "info-reset-once": then(lambda e: e.reset(), information),
    "info-stalled": lambda e: e.stall(),
    "info-slow-loris": lambda e: slowly(e, b"HTTP/1.1 200 OK\r\nX: " + b"x" * 9999, 0.05),
    "info-truncated": lambda e: (e.head(200, [("ETag", '"x"')], 9999), e.send(document(e)[:40])),
    "info-html": page,
    "info-204": lambda e: e.answer(204, [("ETag", '"x"')]),
    "info-304-always": lambda e: e.answer(304, [("ETag", f'"{SHA256}"')]),
    "info-304-other-hash": then(information, lambda e: e.answer(304, [("ETag", '"other"')])),
    "info-304-no-hash": then(information, lambda e: e.answer(304)),
    "info-429-once": then(lambda e: e.answer(429, [("Retry-After", "0")]), information),
    "info-429-long": lambda e: e.answer(429, [("Retry-After", "86400")]),
    "info-429-huge": lambda e: e.answer(429, [("Retry-After", "9" * 400)]),
    "info-503-once": then(lambda e: e.answer(503), information),
    "etag-missing": lambda e: information(e, etag=None),
    "etag-unquoted": lambda e: information(e, etag=SHA256),
    "etag-64k": lambda e: information(e, etag='"' + "x" * 65536 + '"'),
    "etag-traversal": lambda e: information(e, etag='"../../../../tmp/escaped"'),
    "etag-control": lambda e: information(e, etag='"a\tb"'),
    "json-truncated": lambda e: information(e, document(e)[:-9]),
    "json-deep": lambda e: information(e, b"[" * 500_000),
    "json-deep-member": lambda e: information(
        e, document(e)[:-1] + b',"x":' + b'{"a":' * 100_000 + b"1" + b"}" * 100_001),
    "json-64mb": lambda e: information(e, document(e) + b" " * (64 << 20)),
    "json-empty": lambda e: information(e, b""),
    "json-array": lambda e: information(e, b"[]"),
    "json-null": lambda e: information(e, b'{"downloadUri":null,"expireTime":null,"sizeBytes":null}'),
    "json-types": lambda e: information(e, downloadUri=5),
    "json-size-number": lambda e: information(e, sizeBytes=len(MODEL)),
    "json-no-uri": lambda e: information(e, downloadUri=None),
    "json-unknown-members": lambda e: information(e, modelFormat="TFLITE", extra=[{"a": 1}]),
    "uri-empty": lambda e: information(e, downloadUri=""),
    "uri-bad": lambda e: information(e, downloadUri="ht tp://%%%"),
    "uri-file": lambda e: information(e, downloadUri="file:///etc/passwd"),
    "uri-ftp": lambda e: information(e, downloadUri="ftp://127.0.0.1/m"),
    "uri-plain-http": lambda e: information(e, downloadUri="http://192.0.2.1/m"),
    "uri-relative": lambda e: information(e, downloadUri=f"/{e.fault}/{e.run}/blob/m.tflite"),
    "uri-other-host": lambda e: information(e, downloadUri="//192.0.2.1/m"),
    "size-negative": lambda e: information(e, sizeBytes="-1"),
    "size-zero": lambda e: information(e, sizeBytes="0"),
    "size-huge": lambda e: information(e, sizeBytes="9" * 30),
    "size-limit": lambda e: information(e, sizeBytes=str(1 << 40)),
    "size-word": lambda e: information(e, sizeBytes="many"),
    "size-smaller": lambda e: information(e, sizeBytes="1000"),
    "size-larger": lambda e: information(e, sizeBytes=str(len(MODEL) + 1)),
    "date-bad": lambda e: information(e, expireTime="tomorrow"),
    "date-no-fraction": lambda e: information(e, expireTime="2099-01-01T00:00:00Z"),
    "date-nanoseconds": lambda e: information(e, expireTime="2099-01-01T00:00:00.123456789+02:00"),
    "sha-wrong": lambda e: information(e, sha256="0" * 64, etag='"v1"'),
    "etag-other-digest": lambda e: information(e, etag='"' + "0" * 64 + '"'),
    "sha-malformed": lambda e: information(e, sha256="../../etc"),
    "sha-from-etag": lambda e: information(e, sha256=None),
    "sha-none": lambda e: information(e, sha256=None, etag='"v1"'),
    "sha-none-html": lambda e: information(e, sha256=None, etag='"v1"', sizeBytes="45"),
    "info-redirect": lambda e: information(e) if "/moved/" in e.path else redirect(
        e, e.path.replace("/v1beta2", "/moved/v1beta2")),
    "info-redirect-loop": lambda e: redirect(e, e.path),
    "info-redirect-file": lambda e: redirect(e, "file:///etc/passwd"),
    "info-redirect-out": lambda e: redirect(e, "http://192.0.2.1/x"),
    "info-redirect-nowhere": lambda e: redirect(e, "http://"),
    "expired": expired,
    "expired-twice": lambda e: information(e, expireTime=PAST),
    "expired-fraction": then(lambda e: information(e, expireTime="2001-01-01T00:00:00.5Z"),
                             information),
    "not-modified": if_none_match,
    "older": lambda e: information(e, etag='"older"', sha256=hashlib.sha256(OTHER).hexdigest()),
    **{f"info-{code}": error(code) for code in (400, 401, 403, 404, 410, 418, 429, 500, 502, 503)},
}

FILE = {
    "file-reset": lambda e: e.reset(),
    "file-reset-once": then(cut_and_reset, file),
    "file-reset-each": cut_and_reset,
    "file-truncated": lambda e: file(e, cut=0 if e.earlier else 1000),
    "file-truncated-once": then(lambda e: file(e, cut=123_456), file),
    "file-no-range": then(lambda e: file(e, cut=123_456), lambda e: e.answer(200, (), MODEL)),
    "file-changed": then(lambda e: file(e, OTHER, '"m0"', 123_456), file),
    "file-range-lies": then(lambda e: file(e, cut=123_456), lambda e: e.answer(
        206, [("Content-Range", f"bytes 0-9/{len(MODEL)}")], MODEL[:10])
        if "range" in e.headers else file(e)),
    "file-416": then(lambda e: file(e, cut=123_456),
                     lambda e: e.answer(416) if "range" in e.headers else file(e)),
    "file-stalled": lambda e: (file(e, cut=1000), e.stall()),
    "file-slow-loris": lambda e: (e.head(200, [], len(MODEL)), slowly(e, MODEL, 0.05)),
    "file-wrong": lambda e: file(e, OTHER),
    "file-no-model": lambda e: e.answer(200, (), b"x" * len(MODEL)),
    "file-html": page,
    "sha-none-html": page,
    "file-206": lambda e: e.answer(
        206, [("Content-Range", f"bytes 0-{len(MODEL) - 1}/{len(MODEL)}")], MODEL),
    "file-204": lambda e: e.answer(204),
    "file-304": lambda e: e.answer(304),
    "file-endless": endless,
    "file-gzip": lambda e: packed(e, gzip.compress(MODEL)),
    "file-gzip-bomb": lambda e: packed(e, gzip.compress(MODEL + bytes(1 << 25), 1)),
    "file-gzip-lie": lambda e: packed(e, MODEL),
    "length-larger": lambda e: (e.head(200, [], len(MODEL) + 5), e.send(MODEL)),
    "length-smaller": lambda e: (e.head(200, [], 1000), e.send(MODEL)),
    "length-twice": lambda e: (e.head(200, [("Content-Length", "5")], len(MODEL)), e.send(MODEL)),
    "length-word": lambda e: (e.head(200, [("Content-Length", "many")]), e.send(MODEL)),
    "length-negative": lambda e: (e.head(200, [("Content-Length", "-5")]), e.send(MODEL)),
    "length-none": lambda e: (e.head(200, []), e.send(MODEL)),
    "chunked": lambda e: chunked(e, [chunk(MODEL[:9999]), chunk(MODEL[9999:]), b"0\r\n\r\n"]),
    "chunk-bad-size": lambda e: chunked(e, [chunk(MODEL[:9999]), b"zz\r\n", MODEL[9999:]]),
    "chunk-truncated": lambda e: chunked(e, [chunk(MODEL[:9999]), b"fffff\r\nab"]),
    "chunk-unfinished": lambda e: chunked(e, [chunk(MODEL[:9999])]),
    "chunk-trailers": lambda e: chunked(e, [chunk(MODEL), b"0\r\nX-Late: 1\r\nETag: z\r\n\r\n"]),
    "status-100": lambda e: (e.send(b"HTTP/1.1 100 Continue\r\n\r\n"), file(e)),
    "status-103": lambda e: (e.send(b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"), file(e)),
    "status-101": lambda e: e.answer(101, [("Upgrade", "x"), ("Connection", "upgrade")]),
    "status-000": lambda e: e.answer("000"),
    "status-999": lambda e: e.answer(999),
    "status-word": lambda e: e.answer("OK"),
    "status-missing": lambda e: e.send(b"HTTP/1.1\r\n\r\n"),
    "auth-basic": lambda e: e.answer(401, [("WWW-Authenticate", 'Basic realm="x"')]),
    "auth-digest": lambda e: e.answer(401, [("WWW-Authenticate", 'Digest realm="x", nonce="y"')]),
    "auth-odd": lambda e: e.answer(401, [("WWW-Authenticate", '=,,="')]),
    "auth-proxy": lambda e: e.answer(407, [("Proxy-Authenticate", 'Basic realm="x"')]),
    "header-no-colon": lambda e: (e.send(b"HTTP/1.1 200 OK\r\nrubbish\r\n: x\r\n\r\n"),
                                  e.send(MODEL)),
    "header-bytes": lambda e: e.answer(200, [("X", "\xff\xfe\x80"), ("Set-Cookie", "\xff;=;")],
                                       MODEL),
    "header-huge": lambda e: e.answer(200, [("X", "x" * 500_000)], MODEL),
    "header-many": lambda e: e.answer(200, [(f"X-{n}", "x" * 500) for n in range(2000)], MODEL),
    "header-folded": lambda e: (e.send(b"HTTP/1.1 200 OK\r\nX: a\r\n b\r\n\r\n"), e.send(MODEL)),
    "header-only-lf": lambda e: (e.send(b"HTTP/1.1 200 OK\nX: a\n\n"), e.send(MODEL)),
    **{f"location-{number}": lambda e, location=location: redirect(e, location)
       for number, location in enumerate(LOCATIONS)},
    "file-429-once": then(lambda e: e.answer(429, [("Retry-After", "0")]), file),
    "file-503-once": then(lambda e: e.answer(503), file),
    "file-redirect": lambda e: file(e) if "moved" in e.path else redirect(
        e, f"http://localhost:{PORT}{e.path}-moved"),
    "file-redirect-loop": lambda e: redirect(e, e.path),
    "file-redirect-file": lambda e: redirect(e, "file:///etc/passwd"),
    "file-redirect-out": lambda e: redirect(e, "http://192.0.2.1/x"),
    "file-redirect-no-location": lambda e: e.answer(302),
    "expired": lambda e: error(400)(e) if "old" in e.path else file(e),
    "expired-fraction": then(error(403), file),
    "expired-twice": error(400),
    "older": lambda e: file(e, OTHER),
    "garbage": lambda e: e.send(b"\x00\xff" * 500),
    "slow": lambda e: file(e, pause=0.1),
    **{f"file-{code}": error(code) for code in (400, 401, 403, 404, 410, 429, 500, 503)},
}


def hugging_face(exchange):
    """owner/repository/resolve/<revision>/m.tflite, redirecting to storage on another origin."""
    revision = exchange.rest.split("/")[3]
    headers = [("X-Repo-Commit", "c0ffee"), ("X-Linked-Etag", f'"{SHA256}"'),
               ("X-Linked-Size", len(MODEL)), ("ETag", '"not-this"')]
    if "small" in exchange.rest:
        exchange.answer(200, [("X-Repo-Commit", "c0ffee"), ("ETag", '"b10b"')],
                        MODEL if revision == "c0ffee" or exchange.method == "HEAD" else OTHER)
    elif exchange.method == "HEAD" and revision == "main":
        redirect(exchange, f"http://localhost:{PORT}/healthy/{exchange.run}/blob/hf", 302, headers)
    elif revision == "c0ffee":
        redirect(exchange, f"http://localhost:{PORT}/healthy/{exchange.run}/blob/hf", 302, headers)
    else:
        exchange.answer(404, [("X-Error-Code", "RevisionNotFound")])


def serve(connection):
    connection.settimeout(90)
    with connection, connection.makefile("rb") as reader:
        line = reader.readline().decode("latin-1").split()
        if len(line) < 2:
            return
        headers = {}
        while (header := reader.readline().decode("latin-1").strip()):
            name, _, value = header.partition(":")
            headers[name.lower()] = value.strip()
        exchange = Exchange(connection, line[0], line[1], headers)
        try:
            respond(exchange)
        except (BrokenPipeError, ConnectionResetError, TimeoutError):
            pass


def respond(exchange):
    if exchange.fault == "hf":
        hugging_face(exchange)
    elif exchange.fault == "files":
        exchange.answer(200, (), f"{SHA256}  m.tflite\n".encode() if ".sha256" in exchange.path
                        else MODEL)
    elif exchange.fault == "files-bad":
        exchange.answer(200, (), b"<html>")
    elif exchange.is_file:
        FILE.get(exchange.fault, file)(exchange)
    else:
        INFORMATION.get(exchange.fault, information)(exchange)


listener = socket.create_server(("127.0.0.1", 0), backlog=64)
PORT = listener.getsockname()[1]
print(PORT, SHA256, flush=True)


def accept():
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=serve, args=(connection,), daemon=True).start()


threading.Thread(target=accept, daemon=True).start()
sys.stdin.read()
