import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, expect, test } from "vitest";
import { ask, readyLine, run, type Serving, serving } from "./command.ts";

const directory = mkdtempSync(join(tmpdir(), "kubedouble-test-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const file = (name: string, text: string): string => {
  writeFileSync(join(directory, name), text);
  return join(directory, name);
};

let server: Serving | undefined;
const served = async (...args: string[]): Promise<Serving> => {
  server = await serving(...args);
  return server;
};
afterEach(async () => {
  server?.child.kill();
  await server?.ended;
  server = undefined;
});

const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);

test("serve answers the administrator of its kubeconfig over TLS, and others what the role system:public-info-viewer grants", async () => {
  const { url, kubeconfig } = await served();
  expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  expect([mode(dirname(kubeconfig)), mode(kubeconfig)]).toEqual(["700", "600"]);
  expect(await ask(kubeconfig, "/readyz")).toEqual({ status: 200, body: "ok" });
  expect(JSON.parse((await ask(kubeconfig, "/api/v1/namespaces/default")).body)).toMatchObject({
    kind: "Namespace",
  });
  const stranger = (path: string) => ask(kubeconfig, path, "");
  const open = await Promise.all(["/healthz", "/livez", "/readyz", "/version", "/version/"].map(stranger));
  expect(open.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  const closed = await Promise.all(["/api", "/livez/ping", "/api/v1/namespaces/default"].map(stranger));
  expect(closed.map(({ body }) => JSON.parse(body).message)).toEqual([
    'forbidden: User "system:anonymous" cannot get path "/api"',
    'forbidden: User "system:anonymous" cannot get path "/livez/ping"',
    'namespaces "default" is forbidden: User "system:anonymous" cannot get resource "namespaces" in API group "" in the namespace "default"',
  ]);
});

test("serve prints one line and ends cleanly", async () => {
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    const { child, ended, kubeconfig } = await served();
    child.kill(signal);
    const { status, stdout, stderr } = await ended;
    expect({ signal, status, stderr }).toEqual({ signal, status: 0, stderr: "" });
    expect(stdout.replace(readyLine, "")).toBe("");
    expect(existsSync(dirname(kubeconfig))).toBe(false);
  }
});

test("serve ends even if a client has an open watch", async () => {
  const { child, ended, kubeconfig } = await served();
  const watch = ask(kubeconfig, "/api/v1/namespaces?watch=true").catch(() => undefined);
  await ask(kubeconfig, "/readyz");
  child.kill("SIGTERM");
  expect((await ended).status).toBe(0);
  await watch;
});

test("--kubeconfig sets the path of the kubeconfig, which remains after the end", async () => {
  const path = file("config", "old");
  const { child, ended, kubeconfig } = await served("--kubeconfig", path);
  expect(kubeconfig).toBe(path);
  expect(mode(path)).toBe("600");
  expect((await ask(path, "/readyz")).status).toBe(200);
  child.kill();
  await ended;
  expect(existsSync(path)).toBe(true);
});

test("--http serves without TLS", async () => {
  const { url, kubeconfig } = await served("--http");
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect((await ask(kubeconfig, "/readyz")).status).toBe(200);
});

test("--release sets the Kubernetes release", async () => {
  const { kubeconfig } = await served("--release=1.29");
  expect(JSON.parse((await ask(kubeconfig, "/version")).body)).toMatchObject({ major: "1", minor: "29" });
});

test("--token-auth-file sets the accepted tokens", async () => {
  const tokens = file("tokens.csv", 'secret,alice,1,"system:masters,dev"\n');
  const { kubeconfig } = await served("--token-auth-file", tokens);
  expect((await ask(kubeconfig, "/api/v1/namespaces", "secret")).status).toBe(200);
  expect((await ask(kubeconfig, "/api/v1/namespaces", "guess")).status).toBe(401);
});

test("--load sets the initial objects", async () => {
  const manifests = file(
    "manifests.yaml",
    "apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n---\n" +
      "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: shop}\ndata: {color: blue}\n",
  );
  const { kubeconfig } = await served("--load", manifests);
  const { body } = await ask(kubeconfig, "/api/v1/namespaces/shop/configmaps/settings");
  expect(JSON.parse(body)).toMatchObject({ kind: "ConfigMap", data: { color: "blue" } });
});

test("serve reports an object that cannot be loaded, and does not start", async () => {
  const good = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: default}\n---\n";
  const path = file(
    "wrong.yaml",
    `${good}apiVersion: v1\nkind: ConfigMap\nmetadata: {name: A_, namespace: default}\n`,
  );
  const { status, stdout, stderr } = await run("serve", "--port=0", "--load", path);
  expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
  expect(stderr).toContain(`Error: ${path}, document 2: ConfigMap "A_" is invalid: metadata.name`);
});

test("a port in use is an error", async () => {
  const { url } = await served();
  const { status, stderr } = await run("serve", `--port=${new URL(url).port}`);
  expect(status).toBe(1);
  expect(stderr).toMatch(/^Error: .*EADDRINUSE/);
});

test("a kube-apiserver flag without effect is accepted and reported once", async () => {
  const { child, ended } = await served("--etcd-servers=http://a", "--etcd-servers=http://b");
  child.kill();
  const { stderr } = await ended;
  expect(stderr).toBe("kubedouble: --etcd-servers has no effect here\n");
});

test.each([
  [
    ["serve", "--prot=1"],
    "unknown flag: --prot; did you mean --port?\nSee 'kubedouble serve --help' for usage.",
  ],
  [["serve", "--port=x"], /invalid argument "x" for "--port" flag: must be an integer/],
  [["serve", "--load=nowhere.yaml"], /ENOENT.*nowhere\.yaml/],
  [["serve", "--release=0.9"], /0\.9/],
  [["serve", "--stages=package.json"], 'stages: a cluster plays them with the part "kubelets"'],
  [["serve", "--simulate", "--stages=package.json"], "stages: no object of kind Stage"],
  [["sreve"], 'unknown command "sreve" for "kubedouble"; did you mean serve?'],
  [["exec"], /exec needs a command after --/],
])("%j exits with status 1 and says why", async (args, message) => {
  const { status, stdout, stderr } = await run(...args);
  expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
  if (typeof message === "string") expect(stderr).toContain(`Error: ${message}`);
  else expect(stderr).toMatch(message);
});

test.each([[["--help"]], [["serve", "--help"]], [["exec", "-h"]], [[]]])(
  "%j shows the usage",
  async (args) => {
    const { status, stdout, stderr } = await run(...args);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toContain("Usage:");
  },
);

test.each([[["--version"]], [["serve", "--version"]]])("%j shows the version", async (args) => {
  const { version } = JSON.parse(readFileSync("package.json", "utf8"));
  expect((await run(...args)).stdout).toBe(`kubedouble ${version}\n`);
});

test("with masked names, flags have them too", async () => {
  const { kubeconfig } = await served(
    ...["--identifiers", "svc", "--runtime-config", "events.svc.io/v1=false"],
    ...["--feature-gates", "SvcletEnsureSecretPulledImages=true", "--release", "1.34"],
    ...["--service-at", "svc-system/hook=127.0.0.1:9443"],
  );
  expect((await ask(kubeconfig, "/apis/events.svc.io/v1")).status).toBe(404);
  expect((await ask(kubeconfig, "/metrics")).body).toContain(
    'svc_feature_enabled{name="SvcletEnsureSecretPulledImages",stage="ALPHA"} 1',
  );
});

test("an unknown gate is named as the flag names it", async () => {
  const { status, stderr } = await run(
    "serve",
    "--identifiers",
    "svc",
    "--feature-gates",
    "SvcletNothing=true",
  );
  expect([status, stderr]).toEqual([1, expect.stringContaining("unrecognized feature gate: SvcletNothing")]);
});
