#!/usr/bin/python3
"""hub_server.py FOLDER: behaves as the Hugging Face hub does, on two free ports of this machine.

FOLDER/files/OWNER/NAME/ holds the files of each model. FOLDER/ports gets both ports, FOLDER/log a line of JSON for each
request. The owner's name says what goes wrong. The server ends with its standard input.
"""
import hashlib, json, os, sys, threading, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

folder = sys.argv[1]
ports = []
met = {}
lock = threading.Lock()


def blob_of(data):
    return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()


def times(key):
    """How often this was asked before."""
    with lock:
        met[key] = met.get(key, 0) + 1
        return met[key] - 1


class Model:
    def __init__(self, owner, name):
        self.files = {}
        root = os.path.join(folder, "files", owner, name)
        for file in sorted(os.listdir(root)):
            with open(os.path.join(root, file), "rb") as opened:
                self.files[file] = opened.read()
        self.commit = hashlib.sha1("".join(f + blob_of(d) for f, d in self.files.items()).encode()).hexdigest()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    place = "hub"

    def log_message(self, *words):
        pass

    def note(self):
        row = {"at": self.place, "method": self.command, "path": self.path, "token": self.headers.get("Authorization", ""),
               "range": self.headers.get("Range", "")}
        with lock, open(os.path.join(folder, "log"), "a") as log:
            log.write(json.dumps(row) + "\n")

    def answer(self, status, headers={}, body=b""):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if "Content-Length" not in headers:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def fault(self, owner, path):
        """What some owners' models answer in place of content; true where that is all."""
        if owner == "busy" and times(("busy", path)) == 0:
            self.answer(429, {"Retry-After": "1"})
        elif owner == "full-hall":
            self.answer(429, {"Retry-After": "3600"})
        elif owner == "fault" or (owner == "ill" and times(("ill", path)) < 2):
            self.answer(503, body=b"a page of words")
        elif owner == "gated" and self.headers.get("Authorization") != "Bearer let-me-in":
            self.answer(401, {"X-Error-Code": "GatedRepo", "X-Error-Message": "Access to this model is restricted."})
        elif owner == "odd":
            self.answer(200, body=b"<html>Welcome to this network</html>")
        else:
            return False
        return True

    def content(self, owner, data):
        """A file's bytes, with ranges, and what goes wrong with them."""
        begin = 0
        if self.headers.get("Range") and owner != "no-range":
            begin = int(self.headers["Range"].split("=")[1].rstrip("-"))
            if begin >= len(data):
                return self.answer(416)
        if owner == "wrong":
            data = bytes(b ^ 1 for b in data)
        if owner == "grows":
            data += b"and more" * 100
        rest = data[begin:]
        headers = {"Content-Length": str(len(rest)), "Accept-Ranges": "bytes"}
        if begin:
            headers["Content-Range"] = "bytes %d-%d/%d" % (begin, len(data) - 1, len(data))
        self.answer(206 if begin else 200, headers)
        try:
            if owner == "cut":
                self.wfile.write(rest[:max(1000, len(rest) // 2)])
                self.close_connection = len(rest) > 1000
            elif owner == "dead":
                self.close_connection = True
            elif owner == "trickle":
                for byte in rest:
                    self.wfile.write(bytes([byte]))
                    self.wfile.flush()
                    time.sleep(0.1)
            elif owner == "steady":
                for at in range(0, len(rest), 20000):
                    self.wfile.write(rest[at:at + 20000])
                    time.sleep(0.02)
            else:
                self.wfile.write(rest)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def do_HEAD(self):
        self.do_GET()

    def do_GET(self):
        self.note()
        if self.path.startswith("http"):  # asked as a proxy, which it is not
            return self.answer(502)
        parts = self.path.split("?")[0].strip("/").split("/")
        if self.place == "store":
            owner, name, file = parts
            return self.content(owner, Model(owner, name).files[file])
        owner, name = parts[2:4] if parts[0] == "api" else parts[:2]
        if owner == "moved":
            return self.answer(307, {"Location": self.path.replace("/moved/", "/gated/", 1)})
        if owner == "circle":
            return self.answer(302, {"Location": self.path})
        if self.fault(owner, self.path):
            return None
        try:
            model = Model(owner, name)
        except OSError:
            return self.answer(401, {"X-Error-Code": "RepoNotFound"})
        if (parts[5] if parts[0] == "api" else parts[3]) not in ("main", "v1.0", model.commit):
            return self.answer(404, {"X-Error-Code": "RevisionNotFound"})
        if parts[0] == "api":
            siblings = []
            for file, data in model.files.items():
                row = {"rfilename": file}
                if owner != "mirror":  # which does not know of blobs=true
                    row.update(size=len(data), blobId=blob_of(data))
                    if len(data) >= 1000:
                        row["lfs"] = {"sha256": hashlib.sha256(data).hexdigest(), "size": len(data), "pointerSize": 130}
                siblings.append(row)
            return self.answer(200, {"Content-Type": "application/json"},
                               json.dumps({"id": owner + "/" + name, "sha": model.commit, "siblings": siblings}).encode())
        file = parts[4]
        if file not in model.files:
            return self.answer(404, {"X-Error-Code": "EntryNotFound", "X-Repo-Commit": model.commit})
        data = model.files[file]
        if len(data) < 1000:
            return self.answer(200, {"ETag": '"%s"' % blob_of(data), "X-Repo-Commit": model.commit}, data)
        return self.answer(302, {"Location": "http://127.0.0.1:%d/%s/%s/%s?signed" % (ports[1], owner, name, file),
                                 "X-Linked-Etag": '"%s"' % hashlib.sha256(data).hexdigest(), "X-Linked-Size": str(len(data)),
                                 "ETag": '"%s"' % blob_of(data), "X-Repo-Commit": model.commit})


class Store(Handler):
    place = "store"


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, address):
        pass  # clients that are killed close their connections


servers = [Server(("127.0.0.1", 0), handler) for handler in (Handler, Store)]
ports = [server.server_address[1] for server in servers]
for server in servers:
    threading.Thread(target=server.serve_forever, daemon=True).start()
with open(os.path.join(folder, "ports.new"), "w") as opened:
    opened.write("%d %d\n" % tuple(ports))
os.rename(os.path.join(folder, "ports.new"), os.path.join(folder, "ports"))
sys.stdin.read()
