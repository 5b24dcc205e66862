"""Runs commands in a pod and reads its log; prints what it got as JSON."""
import json
import sys

from kubernetes import client, config
from kubernetes.stream import stream

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
print(json.dumps({
    "stdout": ran.read_stdout(),
    "stderr": ran.read_stderr(),
    "code": ran.returncode,
    "echoed": echoed,
    "log": core.read_namespaced_pod_log("job", "default"),
}))
