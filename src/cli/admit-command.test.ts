import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { outcomeOf } from "../../test/cli/command-outcome.ts";
import { admitCommand } from "./admit-command.ts";

const directory = mkdtempSync(join(tmpdir(), "kubedouble-admit-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
afterEach(() => vi.restoreAllMocks());

function file(name: string, text: string): string {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
}

const policies = file(
  "policies.yaml",
  `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: team-names }
spec:
  matchConstraints:
    resourceRules:
      - { apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps] }
  validations:
    - expression: object.metadata.name.startsWith('team-') || request.userInfo.groups.exists(g, g == 'owners')
      message: names begin with team-
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: everywhere }
spec: { policyName: team-names, validationActions: [Deny] }
---
apiVersion: v1
kind: LimitRange
metadata: { name: l, namespace: default }
spec: { limits: [{ type: Container, defaultRequest: { cpu: "1" } }] }
`,
);
const configMap = (name: string) =>
  file(`${name}.yaml`, `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name} }\n`);
const [good, bad] = [configMap("team-a"), configMap("a")];
const pod = file(
  "pod.yaml",
  "apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec: { containers: [{ name: main, image: main:1 }] }\n",
);

const run = (...args: readonly string[]) => outcomeOf(admitCommand, ["--load", policies, ...args]);

test("the command says which policy denies an object, and exits with 1", async () => {
  const { status, out, err } = await run("-f", bad, "-f", good);
  expect({ status, err }).toEqual({ status: 1, err: "" });
  expect(out.replace(/cost \d+/g, "cost N").split("\n")).toEqual([
    "CREATE configmaps default/a as kubernetes-admin: denied by ValidatingAdmissionPolicy team-names (binding everywhere)",
    "  422 Invalid: configmaps \"a\" is forbidden: ValidatingAdmissionPolicy 'team-names' with binding 'everywhere' denied request: names begin with team-",
    "Steps:",
    "  validate  ValidatingAdmissionPolicy team-names (binding everywhere)  denied  cost N",
    "    false  cost N  object.metadata.name.startsWith('team-') || request.userInfo.groups.exists(g, g == 'owners')",
    "      names begin with team-",
    expect.stringMatching(/^ {2}also ran: NamespaceLifecycle, LimitRanger, .*PodSecurity/),
    "",
    "CREATE configmaps default/team-a as kubernetes-admin: admitted",
    "Steps:",
    "  validate  ValidatingAdmissionPolicy team-names (binding everywhere)  allowed  cost N",
    "    true  cost N  object.metadata.name.startsWith('team-') || request.userInfo.groups.exists(g, g == 'owners')",
    expect.stringContaining("  also ran: "),
    "",
  ]);
});

test("the command shows what admission changes", async () => {
  const { status, out } = await run("-f", pod, "--disable-admission-plugins", "ServiceAccount,Priority");
  expect(status).toBe(0);
  const lines = out.split("\n");
  expect(lines).toContain(
    "  admit  LimitRanger  mutated  + /spec/containers/0/resources  + /metadata/annotations",
  );
  expect(lines.slice(lines.indexOf("Changes:"), -1)).toEqual([
    "Changes:",
    '  + /spec/containers/0/resources  {"requests":{"cpu":"1"}}',
    expect.stringContaining("  + /spec/tolerations  ["),
    expect.stringContaining("  + /metadata/annotations  {"),
  ]);
});

test("the command sends objects as another user, and writes JSON and YAML", async () => {
  const asOwner = ["-f", bad, "--as", "alice", "--as-group", "owners", "--as-group", "dev"];
  const json = await run(...asOwner, "-o", "json");
  expect(JSON.parse(json.out)).toMatchObject([{ admitted: true, request: { user: "alice", name: "a" } }]);
  expect(json.status).toBe(0);
  vi.restoreAllMocks();
  const yaml = await run(...asOwner, "--output=yaml");
  expect(yaml.out).toContain("- admitted: true\n");
});

test("the command updates or deletes an object of the cluster", async () => {
  const { status, out } = await run("--load", bad, "-f", bad);
  expect({ status, first: out.split("\n")[0] }).toEqual({
    status: 0,
    first: "UPDATE configmaps default/a as kubernetes-admin: admitted",
  });
  vi.restoreAllMocks();
  const deletion = await run("--load", bad, "-f", bad, "--operation", "DELETE");
  expect(deletion.out).toContain("DELETE configmaps default/a as kubernetes-admin: admitted");
});

test.each<readonly [title: string, args: readonly string[], error: string]>([
  ["no file", [], "admit needs the file of an object"],
  ["another flag", ["-f", good, "--laod", "x"], "unknown flag: --laod; did you mean --load?"],
  ["another operation", ["-f", good, "--operation", "UPDAT"], 'did you mean "UPDATE"?'],
  ["another format", ["-f", good, "-o", "jsn"], 'did you mean "json"?'],
  [
    "a group without a user",
    ["-f", good, "--as-group", "dev"],
    "--as-group and --as-uid have no effect without --as",
  ],
  ["another plugin", ["-f", good, "--enable-admission-plugins", "PodSecurty"], "PodSecurty"],
  ["a missing file", ["-f", join(directory, "none.yaml")], "ENOENT"],
  ["another release", ["-f", good, "--release", "1.99"], "1.99"],
  [
    "another subresource",
    ["-f", good, "--subresource", "status"],
    `${good}: admit: ConfigMap has no subresource "status"`,
  ],
  ["an address without a port", ["-f", good, "--service-at", "a/b=c"], "--service-at"],
  ["another mode", ["-f", good, "--authorization-mode", "RBACK"], "RBACK"],
])("%s is a usage error, with status 2", async (_title, args, error) => {
  const errors = vi.spyOn(console, "error").mockImplementation(() => {});
  const { status, out } = await run(...args);
  expect({ status, out }).toEqual({ status: 2, out: "" });
  expect(String(errors.mock.calls[0]?.[0])).toContain(error);
});

test("the command reads the configurations of plugins, and the files that they name", async () => {
  file(
    "pod-security.yaml",
    "apiVersion: pod-security.admission.config.k8s.io/v1\nkind: PodSecurityConfiguration\ndefaults: { enforce: restricted }\n",
  );
  const configuration = (path: string) =>
    file(
      "admission.yaml",
      `apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\nplugins: [{ name: PodSecurity, path: ${path} }]\n`,
    );
  const args = ["-f", pod, "--admission-control-config-file"];
  const { status, out } = await run(...args, configuration("pod-security.yaml"));
  expect(status).toBe(1);
  expect(out).toContain("denied by PodSecurity");
  vi.restoreAllMocks();
  const errors = vi.spyOn(console, "error").mockImplementation(() => {});
  expect((await run(...args, configuration("none.yaml"))).status).toBe(2);
  expect(String(errors.mock.calls[0]?.[0])).toContain("unable to read admission plugin configuration from");
});

test("the command reads the kubeconfig of ImagePolicyWebhook, and the files that it names", async () => {
  const policy = file("kubeconfig.yaml", "");
  const configuration = file(
    "admission.yaml",
    `apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\nplugins: [{ name: ImagePolicyWebhook, path: policy.yaml }]\n`,
  );
  file("policy.yaml", `imagePolicy: { kubeConfigFile: ${JSON.stringify(policy)} }\n`);
  const kubeconfig = (cluster: object) =>
    file(
      "kubeconfig.yaml",
      JSON.stringify({
        clusters: [{ name: "c", cluster: { server: "http://127.0.0.1:1/", ...cluster } }],
        users: [{ name: "u", user: { tokenFile: "kubeconfig.yaml" } }],
        contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
        "current-context": "x",
      }),
    );
  const args = ["-f", pod, "--admission-control-config-file", configuration];
  args.push("--enable-admission-plugins", "ImagePolicyWebhook");
  kubeconfig({});
  const { status, out } = await run(...args);
  expect(out).toContain(
    'Post "http://127.0.0.1:1/?timeout=30s": dial tcp 127.0.0.1:1: connect: connection refused',
  );
  expect(status).toBe(1);
  kubeconfig({});
  file("admission.yaml", `imagePolicy: { kubeConfigFile: ${JSON.stringify(policy)} }\n`);
  expect((await run(...args)).out).toContain("connect: connection refused");
  vi.restoreAllMocks();
  const errors = vi.spyOn(console, "error").mockImplementation(() => {});
  const plugin = "{ name: MutatingAdmissionWebhook, configuration: { kubeConfigFile: relative.yaml } }";
  file("admission.yaml", `kind: AdmissionConfiguration\nplugins: [${plugin}]\n`);
  expect((await run(...args)).status).toBe(2);
  expect(String(errors.mock.calls[0]?.[0])).toContain(
    'kubeConfigFile: Invalid value: "relative.yaml": must be an absolute file path',
  );
  file("admission.yaml", `imagePolicy: { kubeConfigFile: ${JSON.stringify(policy)} }\n`);
  kubeconfig({ "certificate-authority": "none.pem" });
  expect((await run(...args)).status).toBe(2);
  expect(String(errors.mock.calls[1]?.[0])).toContain("none.pem");
});

test("the command has a help text with every flag", async () => {
  const { status, out } = await run("--help");
  expect(status).toBe(0);
  for (const flag of ["--file", "--load", "--as", "--as-group", "--as-uid", "--operation", "--output"]) {
    expect(out).toContain(flag);
  }
});
