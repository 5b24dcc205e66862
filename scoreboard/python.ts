import { spawnSync } from "node:child_process";

/** A Python with the package kubernetes. Debian's package belongs to Debian's Python, which may not be the first on PATH. */
export function pythonWithKubernetes(): string | undefined {
  return ["python3", "/usr/bin/python3"].find(
    (python) => spawnSync(python, ["-c", "import kubernetes"]).status === 0,
  );
}
