import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { outcomeOf } from "../../test/cli/command-outcome.ts";
import { credentialCommand } from "./credential-command.ts";

const directory = mkdtempSync(join(tmpdir(), "kubedouble-credential-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

let files = 0;
/** A path that no other test uses. */
function newPath(): string {
  files += 1;
  return join(directory, String(files));
}

function file(text: string): string {
  const path = newPath();
  writeFileSync(path, text);
  return path;
}

const run = (...args: readonly string[]) => outcomeOf(credentialCommand, args);

const group = "client.authentication.k8s.io";
const info = (version: string, spec: object) =>
  vi.stubEnv("KUBERNETES_EXEC_INFO", JSON.stringify({ kind: "ExecCredential", apiVersion: version, spec }));

async function credential(...args: readonly string[]) {
  const { status, out, err } = await run(...args);
  expect({ status, err }).toEqual({ status: 0, err: "" });
  return JSON.parse(out);
}

test("a client that says nothing gets a credential of v1", async () => {
  expect(await credential("credential:token=t=1")).toEqual({
    kind: "ExecCredential",
    apiVersion: `${group}/v1`,
    spec: { interactive: false },
    status: { token: "t=1" },
  });
});

test.each(["v1", "v1beta1"])("a client of %s gets a credential of it", async (version) => {
  info(`${group}/${version}`, { interactive: true });
  expect(await credential("credential:token=t")).toEqual({
    kind: "ExecCredential",
    apiVersion: `${group}/${version}`,
    spec: { interactive: true },
    status: { token: "t" },
  });
});

test("the version of the answer can be another one", async () => {
  info(`${group}/v1`, { interactive: false });
  const { apiVersion } = await credential("credential:token=t", "--api-version=v1beta1");
  expect(apiVersion).toBe(`${group}/v1beta1`);
});

test("a certificate and its key come from files", async () => {
  const [certificate, key] = [file("certificate"), file("key")];
  const { status } = await credential(`credential:token=t,certificate=${certificate},key=${key}`);
  expect(status).toEqual({ token: "t", clientCertificateData: "certificate", clientKeyData: "key" });
});

test.each([
  ["10m", 10 * 60_000],
  ["-1h", -60 * 60_000],
])("a credential with a life of %s says when it expires", async (lifetime, milliseconds) => {
  vi.useFakeTimers({ now: Date.parse("2030-01-01T00:00:00.7Z"), toFake: ["Date"] });
  const { status } = await credential(`credential:token=t,lifetime=${lifetime}`);
  vi.useRealTimers();
  const expires = Date.parse("2030-01-01T00:00:00Z") + milliseconds;
  expect(status.expirationTimestamp).toBe(new Date(expires).toISOString().replace(".000", ""));
});

test("each call has its step, and the last one answers the rest", async () => {
  const script = [
    "credential:token=a,times=2",
    "fail:message=no network,status=3",
    "print:text=nonsense",
    "credential:token=b",
  ];
  const calls = newPath();
  const answers: unknown[] = [];
  for (let call = 0; call < 6; call += 1) {
    const { status, out, err } = await run("--calls", calls, ...script);
    answers.push(out.startsWith("{") ? JSON.parse(out).status.token : [status, out, err]);
  }
  expect(answers).toEqual(["a", "a", [3, "", "no network\n"], [0, "nonsense", ""], "b", "b"]);
});

test("calls are recorded with what the client sent", async () => {
  const calls = newPath();
  await run("--calls", calls, "credential:token=a");
  info(`${group}/v1beta1`, { interactive: true, cluster: { server: "https://x", config: null } });
  await run("--calls", calls, "credential:token=a");
  const lines = readFileSync(calls, "utf8").trim().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { call: expect.any(String), apiVersion: `${group}/v1`, interactive: false },
    {
      call: expect.any(String),
      apiVersion: `${group}/v1beta1`,
      interactive: true,
      cluster: { server: "https://x", config: null },
    },
  ]);
});

test("a token can come from the cluster in the kubeconfig", async () => {
  info(`${group}/v1`, { interactive: false, cluster: { server: "https://x", config: { token: "t" } } });
  expect((await credential("config")).status).toEqual({ token: "t" });
});

test.each<[string, object, string]>([
  ["config", {}, "the client sent no cluster: provideClusterInfo is not true"],
  ["config", { cluster: { config: {} } }, "the config of the cluster in the kubeconfig has no token"],
  ["prompt", {}, "the client does not let the plugin ask the user: interactive is false"],
])("%s with %j has no token", async (step, spec, message) => {
  info(`${group}/v1`, { interactive: false, ...spec });
  await expect(run(step)).rejects.toThrow(message);
});

test("a step can print a file as it is", async () => {
  expect(await run(`print:file=${file('{"kind": "Pod"}')}`)).toEqual({
    status: 0,
    out: '{"kind": "Pod"}',
    err: "",
  });
});

test.each([
  "{",
  "[]",
  '{"kind": "ExecCredential"}',
  `{"kind": "ExecCredential", "apiVersion": "${group}/v1alpha1"}`,
])("a client that sends %s is refused", async (text) => {
  vi.stubEnv("KUBERNETES_EXEC_INFO", text);
  await expect(run("credential:token=t")).rejects.toThrow("KUBERNETES_EXEC_INFO");
});

test.each([
  [[], "credential needs a step, for example: kubedouble credential credential:token=t1"],
  [["credential:token=a", "fail"], "more than one step needs --calls FILE, where calls are counted"],
  [["credential:token=a,times=2"], "more than one step needs --calls FILE, where calls are counted"],
  [["hangs"], 'there is no step "hangs"; did you mean "hang"?'],
  [["credential"], "credential needs the option token, or certificate and key"],
  [["credential:key=k"], "credential needs the option token, or certificate and key"],
  [["credential:certificate=c"], "credential: a certificate needs a key, and a key a certificate"],
  [["credential:token=t,lifetme=1m"], 'credential: unknown option "lifetme"; did you mean "lifetime"?'],
  [["credential:token=t,lifetime=soon"], 'credential: lifetime must be a duration such as "10m"'],
  [["credential:token=t,delay=-1s"], 'credential: delay must be a duration such as "5s", not "-1s"'],
  [["fail:status=0"], "fail: status must be an integer of at least 1, not 0"],
  [["print:text=a,file=b"], "print: text has no effect with file"],
  [["credential:token=t", "--api-version=v2"], '--api-version must be v1 or v1beta1, not "v2"'],
])("%j is refused", async (args, message) => {
  await expect(run(...args)).rejects.toThrow(message);
});

test("help describes the command", async () => {
  expect((await run("--help")).out).toContain("kubedouble credential STEP... [flags]");
});
