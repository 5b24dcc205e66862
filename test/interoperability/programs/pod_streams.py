"""Runs commands in a pod, attaches to it, reads its log, forwards a port and copies files; prints what it got as JSON."""
import io
import json
import sys
import tarfile

from kubernetes import client, config
from kubernetes.stream import portforward, stream

config.load_kube_config(sys.argv[1])
core = client.CoreV1Api()


def execute(command, **options):
    return stream(core.connect_get_namespaced_pod_exec, "web", "default", command=command, stdout=True,
                  tty=False, _preload_content=False, **options)


ran = execute(["ls", "5"], stderr=True, stdin=False)
ran.run_forever(timeout=20)
echo = execute(["cat"], stderr=False, stdin=True)
echo.write_stdin("sent")
echoed = ""
while len(echoed) < 4 and echo.is_open():
    echo.update(timeout=20)
    if echo.peek_stdout():
        echoed += echo.read_stdout()
echo.close()

attached = stream(core.connect_get_namespaced_pod_attach, "web", "default", stdout=True, stderr=False, stdin=False,
                  tty=False, _preload_content=False)
attached.run_forever(timeout=20)

forwarding = portforward(core.connect_get_namespaced_pod_portforward, "web", "default", ports="80")
connection = forwarding.socket(80)
connection.settimeout(20)
connection.sendall(b"GET / HTTP/1.1\r\n\r\n")
page = b""
while not page.endswith(b"hello"):
    page += connection.recv(1024)
connection.close()

packed = execute(["tar", "cf", "-", "/tmp/python"], stderr=False, stdin=False)
packed.run_forever(timeout=20)
archive = tarfile.open(fileobj=io.BytesIO(packed.read_stdout().encode()))
copied = archive.extractfile("tmp/python").read().decode()

content = io.BytesIO()
with tarfile.open(fileobj=content, mode="w", format=tarfile.USTAR_FORMAT) as upload:
    entry = tarfile.TarInfo("tmp/from-python")
    entry.size = len(b"uploaded")
    upload.addfile(entry, io.BytesIO(b"uploaded"))
unpacking = execute(["tar", "xf", "-"], stderr=False, stdin=True)
unpacking.write_stdin(content.getvalue().decode())
unpacking.close()

print(json.dumps({
    "stdout": ran.read_stdout(),
    "stderr": ran.read_stderr(),
    "code": ran.returncode,
    "echoed": echoed,
    "log": core.read_namespaced_pod_log("job", "default"),
    "attached": attached.read_stdout(),
    "page": page.decode().split("\r\n")[-1],
    "copied": copied,
}))
