import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ask, type Ended, run, serving } from "./command.ts";

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "kubedouble-logs-"));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const configMaps = "/api/v1/namespaces/default/configmaps";

function policyFile(name: string, rules: string): string {
  const path = join(directory, name);
  writeFileSync(path, `apiVersion: audit.k8s.io/v1\nkind: Policy\n${rules}`);
  return path;
}

/** Serves with these flags, sends the requests and stops. */
async function afterRequests(paths: readonly string[], ...flags: string[]): Promise<Ended> {
  const server = await serving(...flags);
  for (const path of paths) await ask(server.kubeconfig, path).catch(() => {});
  server.child.kill("SIGTERM");
  return server.ended;
}

test("--v prints a line for each request, with the failure that struck it", async () => {
  const { stderr } = await afterRequests(
    [`${configMaps}?limit=5`, `${configMaps}/a`, `${configMaps}/b`],
    "--v=1",
    "--scenario=throttle:verb=list",
    "--scenario=reset:verb=get,name=b",
  );
  const lines = stderr.trimEnd().split("\n");
  expect(lines.map((line) => line.replace(/\d+ms/, "?ms"))).toEqual([
    expect.stringMatching(
      /^\d{4}-\S+Z 429 GET \S+configmaps\?limit=5 user=kubernetes-admin \?ms fault=throttle$/,
    ),
    expect.stringMatching(/^\d{4}-\S+Z 404 GET \S+configmaps\/a user=kubernetes-admin \?ms$/),
    expect.stringMatching(/^\d{4}-\S+Z --- GET \S+configmaps\/b user=kubernetes-admin fault=reset$/),
  ]);
});

test.each(["", ":afterEvents=1"])(
  "--v prints a second line at the end of a watch: closeWatch%s",
  async (options) => {
    const watch = `${configMaps}?watch=true`;
    const { stderr } = await afterRequests([watch], "--v=1", `--scenario=closeWatch${options}`);
    const lines = stderr.trimEnd().split("\n");
    expect(lines.map((line) => line.replace(/^\S+ |\d+ms/g, ""))).toEqual([
      `200 GET ${watch} user=kubernetes-admin `,
      `200 GET ${watch} user=kubernetes-admin  fault=closeWatch (ended)`,
    ]);
  },
);

test("--audit-log-path records what the policy selects, one event a line", async () => {
  const policy = policyFile(
    "policy.yaml",
    `omitManagedFields: true
rules:
- level: None
  nonResourceURLs: ["/version"]
- level: RequestResponse
  resources: [{ resources: [configmaps] }]
  omitStages: [RequestReceived]
- level: Metadata
`,
  );
  const log = join(directory, "audit.log");
  const flags = [`--audit-log-path=${log}`, `--audit-policy-file=${policy}`];
  const { stderr } = await afterRequests(["/version", `${configMaps}/a`, "/api/v1/nodes"], ...flags);
  expect(stderr).toBe("");
  const events = readFileSync(log, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(events).toMatchObject([
    {
      kind: "Event",
      level: "RequestResponse",
      stage: "ResponseComplete",
      requestURI: `${configMaps}/a`,
      responseObject: { reason: "NotFound" },
    },
    {
      level: "Metadata",
      stage: "RequestReceived",
      requestURI: "/api/v1/nodes",
      user: { username: "kubernetes-admin" },
    },
    {
      level: "Metadata",
      stage: "ResponseComplete",
      requestURI: "/api/v1/nodes",
      responseStatus: { code: 200 },
    },
  ]);
  expect(events[1]).not.toHaveProperty("responseStatus");
  expect(events[2]).not.toHaveProperty("responseObject");
});

test("an audit policy that is not valid ends the command", async () => {
  const policy = policyFile("wrong.yaml", "rules: [{ level: All }]\n");
  const { status, stderr } = await run("serve", "--audit-log-path=-", `--audit-policy-file=${policy}`);
  expect(status).toBe(1);
  expect(stderr).toContain(
    'Error: loading audit policy file: rules[0].level: Unsupported value: "All": supported values: "None", "Metadata", "Request", "RequestResponse": from file',
  );
});

test("an audit log without a policy has no effect, as in kube-apiserver", async () => {
  const { stderr } = await afterRequests([], "--audit-log-path=-");
  expect(stderr).toBe("kubedouble: --audit-log-path has no effect without --audit-policy-file\n");
});
