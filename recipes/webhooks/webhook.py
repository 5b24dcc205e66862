import base64
import json
import ssl
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

ANNOTATIONS = "/metadata/annotations"


def team(request):
    value = request["object"]["metadata"].get("labels", {}).get("team")
    if value is None:
        return {"allowed": False, "status": {"message": "the label team is missing"}}
    return {"allowed": True, "patch": [{"op": "add", "path": ANNOTATIONS, "value": {"team": value}}]}


def crash(request):
    # This one has a bug: not every object has labels.
    return {"allowed": request["object"]["metadata"]["labels"]["team"] != ""}


def hang(request):
    # This one waits for an answer that never comes.
    threading.Event().wait()


def count(request):
    # This one changes the object with every call.
    calls = int(request["object"]["metadata"].get("annotations", {}).get("calls", 0)) + 1
    return {"allowed": True, "patch": [{"op": "add", "path": ANNOTATIONS, "value": {"calls": str(calls)}}]}


WEBHOOKS = {"/team": team, "/crash": crash, "/hang": hang, "/count": count}


class Webhook(BaseHTTPRequestHandler):
    def do_POST(self):
        review = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        try:
            answer = WEBHOOKS[urlsplit(self.path).path](review["request"])
        except Exception as error:
            return self.respond(500, repr(error))
        response = {"uid": review["request"]["uid"], **answer}
        if "patch" in response:
            response["patchType"] = "JSONPatch"
            response["patch"] = base64.b64encode(json.dumps(response["patch"]).encode()).decode()
        self.respond(200, json.dumps({**review, "response": response}))

    def respond(self, status, text):
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Webhook)
server.daemon_threads = True
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(sys.argv[1], sys.argv[2])
server.socket = context.wrap_socket(server.socket, server_side=True)
print(server.server_port, flush=True)
server.serve_forever()
