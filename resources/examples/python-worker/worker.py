#!/usr/bin/env python3
"""A Yardmaster worker in plain Python 3 (docs/worker-protocol.md): YARDMASTER_WORKER_TOKEN=… ./worker.py http://127.0.0.1:8700"""
import base64, json, os, signal, socket, ssl, struct, sys, threading, time
from urllib.parse import urlsplit

def count_words(value, tell):
    tell(0.5, "counting")
    return {"words": len(value["text"].split())}

HANDLERS = {"count-words": count_words}

class Link:
    """The client's end of a WebSocket: masked text frames out, JSON frames in."""
    def __init__(self, master, token):
        url = urlsplit(master)
        tls = url.scheme == "https"
        self.sock = socket.create_connection((url.hostname, url.port or (443 if tls else 80)))
        if tls: self.sock = ssl.create_default_context().wrap_socket(self.sock, server_hostname=url.hostname)
        self.file, self.lock, key = self.sock.makefile("rb"), threading.Lock(), base64.b64encode(os.urandom(16)).decode()
        self.sock.sendall(f"GET /api/v1/worker HTTP/1.1\r\nHost: {url.netloc}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\nAuthorization: Bearer {token}\r\n\r\n".encode())
        status = self.file.readline().decode().strip()
        while self.file.readline().strip(): pass
        if " 101 " not in status: sys.exit(f"the master does not take this worker: {status}")
    def write(self, opcode, data):
        size, mask = len(data), os.urandom(4)
        length = bytes([128 | size]) if size < 126 else b"\xfe" + struct.pack(">H", size) if size < 65536 else b"\xff" + struct.pack(">Q", size)
        with self.lock: self.sock.sendall(bytes([128 | opcode]) + length + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(data)))
    def send(self, **frame): self.write(1, json.dumps(frame).encode())
    def frames(self):
        text = b""
        while len(head := self.file.read(2)) == 2:
            size = head[1] & 127
            if size > 125: size = int.from_bytes(self.file.read(2 if size == 126 else 8), "big")
            data, opcode = self.file.read(size), head[0] & 15
            if opcode == 8: return print("the master closed the link:", data[2:].decode())
            if opcode == 9: self.write(10, data)  # a ping wants its pong
            if opcode > 2: continue
            text += data
            if head[0] & 128: yield json.loads(text); text = b""

now, nodes, running, stopped = (lambda: int(time.time() * 1000)), {}, {}, set()
link = Link(sys.argv[1], os.environ["YARDMASTER_WORKER_TOKEN"])

def handler_of(lease):
    node = nodes[lease["commit"], lease["node"]]
    if node["type"] == "forEach": node = node["config"]["node"]  # one item of a list
    return HANDLERS[node["config"]["handler"]]

def run(lease):
    task, begun = {"id": lease["id"], "attempt": lease["attempt"]}, now()
    link.send(t="report", items=[{"e": "start", **task, "at": begun}])
    tell = lambda fraction, message=None: link.send(t="progress", items=[{**task, "fraction": fraction, "message": message}])
    try:
        end = {"e": "done", "output": handler_of(lease)(lease["input"], tell)}
    except Exception as error:
        end = {"e": "fail", "error": {"code": "TASK_ERROR", "message": f"{type(error).__name__}: {error}", "retryable": not isinstance(error, (KeyError, TypeError))}}
    if running.pop(lease["id"], None) and (lease["id"], lease["attempt"]) not in stopped: link.send(t="report", items=[{**end, **task, "startedAt": begun, "at": now()}])

def beat(seconds):
    while True:
        link.send(t="beat", cpu=0, memory=0, memoryTotal=0, running=len(running))
        time.sleep(seconds)

def leave():
    link.send(t="drain")  # no more leases, please
    while running: time.sleep(0.05)
    link.send(t="bye")
    os._exit(0)

signal.signal(signal.SIGTERM, lambda *_: threading.Thread(target=leave).start())
link.send(t="hello", protocol=1, workerId=None, version="python-1", url="", capacity=4, labels={"language": "python"}, handlers=list(HANDLERS), only="handlers", running=[])
for frame in link.frames():
    kind = frame["t"]
    if kind == "refuse": sys.exit(f"the master refuses this worker: {frame['message']}")
    if kind == "welcome":
        print(f"joined as worker {frame['workerId']}, runs {', '.join(HANDLERS)}", flush=True)
        threading.Thread(target=beat, args=[frame["heartbeatSeconds"]], daemon=True).start()
    if kind == "commit": nodes.update({(frame["commit"], node["id"]): node for node in frame["nodes"]})
    if kind == "kill": stopped.update((id, running.get(id)) for id in frame["ids"])
    if kind == "lost": stopped.update(zip(frame["ids"], frame["attempts"]))
    for lease in frame.get("leases", []):
        running[lease["id"]] = lease["attempt"]
        threading.Thread(target=run, args=[lease], daemon=True).start()
