import { spawnSync } from "node:child_process";

/** A Python that has the package kubernetes. Debian's is for Debian's Python, which need not be the first on PATH. */
export function pythonWithKubernetes(): string | undefined {
  return ["python3", "/usr/bin/python3"].find(
    (python) => spawnSync(python, ["-c", "import kubernetes"]).status === 0,
  );
}
