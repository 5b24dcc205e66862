import { beforeAll, expect, test } from "vitest";
import { type AdmissionReport, type Cluster, createCluster, type KubeObject } from "../index.ts";
import { type ExpectedDenial, toBeAdmitted, toBeDenied } from "./admission-matchers.ts";

const policies: readonly KubeObject[] = [
  {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicy",
    metadata: { name: "team-names" },
    spec: {
      matchConstraints: {
        resourceRules: [
          { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] },
        ],
      },
      validations: [
        { expression: "object.metadata.name.startsWith('team-')", message: "names begin with team-" },
      ],
    },
  },
  {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicyBinding",
    metadata: { name: "everywhere" },
    spec: { policyName: "team-names", validationActions: ["Deny"] },
  },
];

let cluster: Cluster;
let admitted: AdmissionReport;
let denied: AdmissionReport;
let invalid: AdmissionReport;
beforeAll(async () => {
  cluster = createCluster({ controllers: [], objects: policies });
  const configMap = (name: string) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name } });
  admitted = await cluster.admit(configMap("team-a"));
  denied = await cluster.admit(configMap("a"));
  invalid = await cluster.admit(configMap("team-A"));
});

const refusal =
  "configmaps \"a\" is forbidden: ValidatingAdmissionPolicy 'team-names' with binding 'everywhere' denied request: names begin with team-";

test("a report is of an admitted request, or of one that is not", () => {
  expect([admitted, denied, invalid].map((report) => toBeAdmitted(report).pass)).toEqual([
    true,
    false,
    false,
  ]);
  expect([admitted, denied, invalid].map((report) => toBeDenied(report).pass)).toEqual([false, true, false]);
});

test.each<readonly [expected: ExpectedDenial, pass: boolean]>([
  [{ message: refusal }, true],
  [{ message: "names begin with team-" }, true],
  [{ message: "names begin" }, false],
  [{ message: /names begin/g }, true],
  [{ by: "ValidatingAdmissionPolicy" }, true],
  [{ by: "team-names" }, true],
  [{ by: "everywhere" }, true],
  [{ by: /^team-/ }, true],
  [{ by: "PodSecurity" }, false],
  [{ message: /team/, by: "everywhere" }, true],
  [{ message: /dog/, by: "everywhere" }, false],
])("a denial with %j: %s", (expected, pass) => {
  expect(toBeDenied(denied, expected).pass).toBe(pass);
});

test.each<readonly [message: () => string, lines: readonly string[]]>([
  [
    () => toBeAdmitted(denied).message(),
    ["Expected the request to be admitted:", "CREATE configmaps default/a as kubernetes-admin: denied by"],
  ],
  [() => toBeAdmitted(admitted).message(), ["Expected the request not to be admitted:"]],
  [() => toBeDenied(admitted).message(), ["Expected admission to deny the request:", "  it was admitted"]],
  [() => toBeDenied(invalid).message(), ["  it was refused outside admission", "422 Invalid"]],
  [() => toBeDenied(denied).message(), ["Expected the request not to be denied so:"]],
  [
    () => toBeDenied(denied, { message: "no", by: /Pod/ }).message(),
    [
      'Expected admission to deny the request with the message "no" by /Pod/:',
      `  the message is ${JSON.stringify(refusal)}`,
      "  it was denied by ValidatingAdmissionPolicy, team-names, everywhere",
      "ValidatingAdmissionPolicy team-names (binding everywhere)  denied",
    ],
  ],
])("a failure says what the cluster did", (message, lines) => {
  for (const line of lines) expect(message()).toContain(line);
});

test.each([
  [() => cluster.admit({ apiVersion: "v1", kind: "ConfigMap" }), "got a promise: await it first"],
  [() => policies[0], "got a manifest: pass `await cluster.admit(manifest)`"],
  [() => cluster, "got a cluster: pass `await cluster.admit(object)`"],
  [() => undefined, "got undefined"],
])("what is no report is an error that helps", (received, message) => {
  for (const matcher of [toBeAdmitted, toBeDenied]) {
    expect(() => matcher(received())).toThrow(
      `${matcher.name} needs what cluster.admit returns, ${message}`.slice(matcher.name.length),
    );
  }
});
