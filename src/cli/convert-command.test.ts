import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { type CommandOutcome, outcomeOf } from "../../test/cli/command-outcome.ts";
import { convertCommand } from "./convert-command.ts";

const directory = mkdtempSync(join(tmpdir(), "kubedouble-convert-"));
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
  return { ...(await outcomeOf(convertCommand, args)), err: lines.join("") };
}

test.each([
  [
    "fields with another name keep their place and their comments",
    "networking.k8s.io/v1",
    `# the shop
apiVersion: networking.k8s.io/v1beta1 # old
kind: Ingress
metadata:
  name: shop
spec:
  # fallback
  backend:
    serviceName: web # the frontend
    servicePort: 80
  rules:
  - host: "a.example.com"
    http:
      paths:
      # api
      - path: /a
        backend: {serviceName: api, servicePort: http}
`,
    `# the shop
apiVersion: networking.k8s.io/v1 # old
kind: Ingress
metadata:
  name: shop
spec:
  # fallback
  defaultBackend:
    service:
      name: web # the frontend
      port:
        number: 80
  rules:
  - host: "a.example.com"
    http:
      paths:
      # api
      - path: /a
        backend: {service: {name: api, port: {name: http}}}
        pathType: ImplementationSpecific
`,
  ],
  [
    "a manifest of which only the version changes stays as it is, to the last space",
    "batch/v1",
    `apiVersion:   batch/v1beta1   # odd
kind: CronJob
metadata: {name:   c}
spec:
    schedule:   '@daily'
    jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: i}]}}}}
---
# other kinds stay
apiVersion: v1
kind: Service
metadata: {  name: s}
`,
    `apiVersion:   batch/v1   # odd
kind: CronJob
metadata: {name:   c}
spec:
    schedule:   '@daily'
    jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: i}]}}}}
---
# other kinds stay
apiVersion: v1
kind: Service
metadata: {  name: s}
`,
  ],
  [
    "comments of fields that go are those of what replaces them",
    "autoscaling/v2",
    `apiVersion: autoscaling/v2beta1
kind: HorizontalPodAutoscaler
metadata: {name: h}
spec:
  maxReplicas: 3 # three
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: d}
  metrics:
    - type: Resource
      resource:
        name: cpu
        # eighty
        targetAverageUtilization: 80 # percent
`,
    `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: h}
spec:
  maxReplicas: 3 # three
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: d}
  metrics:
    - type: Resource
      resource:
        name: cpu
        # eighty
        target:
          type: Utilization
          averageUtilization: 80 # percent
`,
  ],
  [
    "defaults that the new version would not set are written",
    "admissionregistration.k8s.io/v1",
    `apiVersion: admissionregistration.k8s.io/v1beta1
kind: ValidatingWebhookConfiguration
metadata: {name: w}
webhooks:
- name: a.example.com # hook
  clientConfig: {url: "https://example.com/"}
  failurePolicy: Fail
`,
    `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: w}
webhooks:
- name: a.example.com # hook
  clientConfig: {url: "https://example.com/"}
  failurePolicy: Fail
  matchPolicy: Exact
  sideEffects: Unknown
  timeoutSeconds: 30
  admissionReviewVersions:
  - v1beta1
`,
  ],
  [
    "versions that no release has together are converted through those in between",
    "flowcontrol.apiserver.k8s.io/v1",
    `apiVersion: flowcontrol.apiserver.k8s.io/v1beta1
kind: PriorityLevelConfiguration
metadata: {name: p}
spec:
  type: Limited
  limited:
    assuredConcurrencyShares: 5 # shares
    limitResponse: {type: Reject}
`,
    `apiVersion: flowcontrol.apiserver.k8s.io/v1
kind: PriorityLevelConfiguration
metadata: {name: p}
spec:
  type: Limited
  limited:
    nominalConcurrencyShares: 5 # shares
    limitResponse: {type: Reject}
`,
  ],
  [
    "the items of a typed list have its version",
    "policy/v1",
    `apiVersion: policy/v1beta1
kind: PodDisruptionBudgetList
items:
- metadata: {name: a}
  spec: {minAvailable: 1}
`,
    `apiVersion: policy/v1
kind: PodDisruptionBudgetList
items:
- metadata: {name: a}
  spec: {minAvailable: 1}
`,
  ],
  [
    "aliases and merged keys that a conversion touches are expanded",
    "rbac.authorization.k8s.io/v1",
    `apiVersion: v1
kind: List
items:
- &first
  apiVersion: rbac.authorization.k8s.io/v1alpha1
  kind: RoleBinding
  metadata: {name: a}
  roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: r}
  subjects: [{kind: User, name: "*"}]
- <<: *first
  metadata: {name: b} # second
`,
    `apiVersion: v1
kind: List
items:
- apiVersion: rbac.authorization.k8s.io/v1
  kind: RoleBinding
  metadata: {name: a}
  roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: r}
  subjects: [{kind: Group, name: system:authenticated, apiGroup: rbac.authorization.k8s.io}]
- apiVersion: rbac.authorization.k8s.io/v1
  kind: RoleBinding
  roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: r}
  subjects: [{kind: Group, name: system:authenticated, apiGroup: rbac.authorization.k8s.io}]
  metadata: {name: b} # second
`,
  ],
  [
    "the groups of an access review have another name",
    "authorization.k8s.io/v1",
    "apiVersion: authorization.k8s.io/v1beta1\nkind: SubjectAccessReview\nspec:\n  group: [dev] # team\n  user: alice\n",
    "apiVersion: authorization.k8s.io/v1\nkind: SubjectAccessReview\nspec:\n  groups: [dev] # team\n  user: alice\n",
  ],
])("%s", async (title, version, text, expected) => {
  const path = file(`${title.replaceAll(/\W+/g, "-")}.yaml`, text);
  expect(await run("-f", path, "--output-version", version)).toEqual({ status: 0, out: expected, err: "" });
});

test("JSON becomes block style in YAML, and several objects a List in JSON", async () => {
  const json = file("a.json", '{"apiVersion":"batch/v1","kind":"CronJob","metadata":{"name":"a"}}');
  expect((await run("-f", json, "--output-version=batch/v1beta1")).out).toBe(
    "apiVersion: batch/v1beta1\nkind: CronJob\nmetadata:\n  name: a\n",
  );
  const { out } = await run("-f", json, "-f", json, "-o", "json", "--output-version=batch/v1beta1");
  const item = { apiVersion: "batch/v1beta1", kind: "CronJob", metadata: { name: "a" } };
  expect(JSON.parse(out)).toEqual({ apiVersion: "v1", kind: "List", metadata: {}, items: [item, item] });
});

test.each([
  [
    "batch/v2",
    [],
    "there is no CronJob in batch/v2; its versions are batch/v1, batch/v1beta1, batch/v2alpha1",
  ],
  [
    "batch/v1beta1",
    ["--release", "1.32"],
    "there is no CronJob in batch/v1beta1 in 1.32: 1.16 to 1.24 have it; its versions are batch/v1",
  ],
  ["apps/v1", [], "no object has a version in apps/v1"],
])("%s %j: one error, status 1, and nothing on standard output", async (version, flags, message) => {
  const path = file("cron.yaml", "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: c}\n");
  const { status, out, err } = await run("-f", path, "--output-version", version, ...flags);
  expect({ status, out }).toEqual({ status: 1, out: "" });
  expect(err).toContain(message);
});

test("an object that has not the form of its version is an error that names its file", async () => {
  const path = file("wrong.yaml", "apiVersion: batch/v1beta1\nkind: CronJob\nspec: {schedule: {}}\n");
  const good = file("good.yaml", "apiVersion: batch/v1beta1\nkind: CronJob\nspec: {schedule: a}\n");
  const { status, out, err } = await run("-f", good, "-f", path, "--output-version", "batch/v1");
  expect({ status, out }).toEqual({ status: 1, out: "" });
  expect(err).toContain(`${path}: json: cannot unmarshal object into Go struct field`);
});

test.each([
  [["-f", "a.yaml"], "convert needs a version"],
  [["--output-version", "v1"], "convert needs the file"],
  [["-f", "a", "--output-version", "a/b/c"], "is not of the form group/version"],
  [["-f", "a", "--output-version", "v1", "-o", "wide"], 'is not "yaml" or "json"'],
])("%j is refused", async (args, message) => {
  await expect(convertCommand(args)).rejects.toThrow(message);
});
