import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { type CommandOutcome, outcomeOf } from "../../test/cli/command-outcome.ts";
import { checkCommand } from "./check-command.ts";

const directory = mkdtempSync(join(tmpdir(), "kubedouble-check-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
afterEach(() => vi.restoreAllMocks());

function file(name: string, text: string): string {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
}

async function run(...args: readonly string[]): Promise<CommandOutcome> {
  const lines: string[] = [];
  vi.spyOn(console, "error").mockImplementation((line) => lines.push(`${line}\n`));
  return { ...(await outcomeOf(checkCommand, args)), err: lines.join("") };
}

mkdirSync(join(directory, "manifests", "below"), { recursive: true });
const nested = file(
  join("manifests", "below", "a.yaml"),
  `apiVersion: v1
kind: List
items:
- apiVersion: networking.k8s.io/v1beta1
  kind: Ingress
  metadata: {name: a, namespace: shop}
- apiVersion: example.com/v1
  kind: Widget
---
apiVersion: v1
kind: ComponentStatus
`,
);
file(join("manifests", "values.yaml"), "replicas: 3\n");

test("manifests in subdirectories are checked, and what is removed makes the status 1", async () => {
  expect(await run("-f", join(directory, "manifests"), "--release", "1.32")).toEqual({
    status: 1,
    err: "",
    out: [
      `${nested}, document 1, items[0]: shop/a: networking.k8s.io/v1beta1 Ingress is unavailable in v1.22+; use networking.k8s.io/v1 Ingress\n`,
      `${nested}, document 2: v1 ComponentStatus is deprecated in v1.19+\n`,
    ].join(""),
  });
});

test.each([
  ["1.18", [], 0, []],
  ["1.20", [], 0, ["deprecated", "deprecated"]],
  ["1.20", ["--fail-on", "deprecated"], 1, ["deprecated", "deprecated"]],
  ["1.22", [], 1, ["removed", "deprecated"]],
])("the same manifests in %s with %j have the status %i", async (release, flags, status, states) => {
  const outcome = await run("-f", nested, "--release", release, "-o", "json", ...flags);
  expect(outcome.status).toBe(status);
  expect(JSON.parse(outcome.out).map(({ state }: { state: string }) => state)).toEqual(states);
});

test("a version that is newer than the release is missing", async () => {
  const path = file("new.yaml", "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\n");
  const { status, out } = await run("-f", path, "--release=1.20");
  expect({ status, out }).toEqual({
    status: 1,
    out: `${path}: autoscaling/v2 HorizontalPodAutoscaler is available in v1.23+\n`,
  });
});

test("recorded requests are checked: the audit log and the log of requests", async () => {
  const objectRef = {
    resource: "cronjobs",
    apiGroup: "batch",
    apiVersion: "v1beta1",
    namespace: "n",
    name: "c",
  };
  const event = { kind: "Event", apiVersion: "audit.k8s.io/v1", requestURI: "/x", objectRef };
  const audit = file(
    "audit.log",
    `${JSON.stringify(event)}\n${JSON.stringify({ ...event, objectRef: undefined })}\n`,
  );
  const logged = {
    group: "policy",
    version: "v1beta1",
    resource: "podsecuritypolicies",
    namespace: "",
    name: "p",
  };
  const log = file("requests.json", JSON.stringify({ requests: [{ ...logged, resource: "" }, logged] }));
  const { status, out } = await run("-f", audit, "-f", log, "--release", "1.25");
  expect(status).toBe(1);
  expect(out.split("\n")).toEqual([
    `${audit}, document 1: n/c: batch/v1beta1 CronJob is unavailable in v1.25+; use batch/v1 CronJob`,
    `${log}, requests[1]: p: policy/v1beta1 PodSecurityPolicy is unavailable in v1.25+`,
    "",
  ]);
});

test.each([
  [["--release", "1.32"], "check needs files"],
  [["-f", "x", "--release", "2.0"], "is not supported"],
  [["-f", "x", "--fail-on", "never"], 'is not "removed" or "deprecated"'],
  [["-f", join(directory, "absent.yaml")], "ENOENT"],
])("%j is an error with the status 2", async (args, message) => {
  const { status, out, err } = await run(...args);
  expect({ status, out }).toEqual({ status: 2, out: "" });
  expect(err).toContain(message);
});
