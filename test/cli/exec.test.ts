import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { run, start } from "./command.ts";

const node = process.execPath;
const script = (text: string): string[] => ["--", node, "-e", text];

test.each([
  ["0", "process.exit(0)", 0],
  ["its exit code", "process.exit(7)", 7],
  ["128 plus the number of its signal", "process.kill(process.pid, 'SIGKILL')", 137],
])("exec exits with the status of the command: %s", async (_title, text, status) => {
  expect((await run("exec", ...script(text))).status).toBe(status);
});

test("exec exits with 127 if the command does not exist", async () => {
  const { status, stderr } = await run("exec", "--", "no-such-command");
  expect({ status, stderr }).toEqual({ status: 127, stderr: "Error: no-such-command: command not found\n" });
});

test("the command finds the server through KUBECONFIG, and exec removes the file", async () => {
  const text = `const { KUBECONFIG: path } = process.env;
    console.log(path);
    console.log(require("node:fs").readFileSync(path, "utf8"));
    console.log(process.argv.slice(1).join());`;
  const { status, stdout, stderr } = await run("exec", ...script(text), "a", "--", "--port");
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  const [path = "", ...rest] = stdout.split("\n");
  expect(rest.join("\n")).toMatch(/server: "?https:\/\/127\.0\.0\.1:\d+/);
  expect(rest.join("\n")).toContain("a,--,--port");
  expect(existsSync(dirname(path))).toBe(false);
});

test("exec forwards signals to the command", async () => {
  const text = `process.on("SIGTERM", () => process.exit(3)); setInterval(() => {}, 1000);
    console.log("ready", process.env.KUBECONFIG);`;
  const running = start(["exec", ...script(text)]);
  const [, path = ""] = await running.printed(/ready (.*)\n/);
  running.child.kill("SIGTERM");
  expect((await running.ended).status).toBe(3);
  expect(existsSync(dirname(path))).toBe(false);
});

test("the next start removes what a killed exec left", async () => {
  const text = `console.log("ready", process.env.KUBECONFIG, process.env.KUBEDOUBLE_CA_FILE, process.ppid);
    setInterval(() => { if (process.ppid === 1) process.exit(); }, 50); process.on("SIGTERM", () => process.exit());
    setTimeout(() => process.exit(), 20_000);`;
  const running = start(["exec", ...script(text)]);
  const [, kubeconfig = "", authority = ""] = await running.printed(/ready (\S+) (\S+) /);
  running.child.kill("SIGKILL");
  await once(running.child, "exit");
  expect([kubeconfig, authority].map((path) => existsSync(path))).toEqual([true, true]);
  await run("exec", ...script("setTimeout(() => {}, 300)"));
  expect([kubeconfig, authority].map((path) => existsSync(dirname(path)))).toEqual([false, false]);
});

test.skipIf(spawnSync("kubectl", ["version", "--client"]).status !== 0)(
  "kubectl works inside exec",
  async () => {
    const { status, stdout, stderr } = await run("exec", "--", "kubectl", "get", "namespaces", "-o", "name");
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toContain("namespace/default\n");
  },
);

test("exec writes the smallest roles for what the command did", async () => {
  const report = join(mkdtempSync(join(tmpdir(), "kubedouble-report-")), "roles.yaml");
  const text = `
    const headers = { authorization: "Bearer " + process.env.KUBEDOUBLE_TOKEN };
    for (const path of ["/version", "/api/v1/namespaces/shop/pods"])
      await fetch(process.env.KUBEDOUBLE_URL + path, { headers });
  `;
  const { status, stderr } = await run("exec", "--http", "--rbac-report", report, ...script(text));
  expect([status, stderr]).toEqual([0, ""]);
  expect(readFileSync(report, "utf8")).toBe(
    [
      '# User "kubernetes-admin"',
      "apiVersion: rbac.authorization.k8s.io/v1",
      "kind: Role",
      "metadata:",
      "  name: kubernetes-admin",
      "  namespace: shop",
      "rules:",
      "- apiGroups:",
      '  - ""',
      "  resources:",
      "  - pods",
      "  verbs:",
      "  - list",
      "",
    ].join("\n"),
  );
  rmSync(dirname(report), { recursive: true });
});

test("exec ends before the command if the report cannot be written", async () => {
  const { status, stderr } = await run(
    "exec",
    "--rbac-report",
    "/no-such-directory/roles.yaml",
    ...script("0"),
  );
  expect(status).toBe(1);
  expect(stderr).toContain("ENOENT: no such file or directory, open '/no-such-directory/roles.yaml'");
});
