import { describe, expect, test } from "vitest";
import { quietCluster, testClient } from "../../registry/test-client.ts";

const path = "/apis/internal.apiserver.k8s.io/v1alpha1/storageversions";
const runtimeConfig = new Map([["internal.apiserver.k8s.io/v1alpha1", true]]);
const gatedClient = () => testClient(quietCluster({ runtimeConfig }));
const label = "a DNS-1035 label must consist of";

test.each<[name: string, findings: readonly unknown[]]>([
  ["apps.deployments", []],
  [
    "deployments",
    ['metadata.name: Invalid value: "deployments": name must be in the form of <group>.<resource>'],
  ],
  [
    "A.b_",
    [
      expect.stringContaining(
        'metadata.name: Invalid value: "A.b_": the group segment a lowercase RFC 1123 subdomain',
      ),
      expect.stringContaining(`metadata.name: Invalid value: "A.b_": the resource segment ${label}`),
    ],
  ],
])("the name %s of a StorageVersion is checked", async (name, findings) => {
  const { object, ...answer } = await gatedClient()("POST", path, {
    metadata: { name },
    spec: {},
    status: { commonEncodingVersion: "v1" },
  });
  expect(answer.findings).toEqual(findings);
  // The status is written only by API servers.
  expect(object.status?.commonEncodingVersion).toBeUndefined();
});

describe("the status of a StorageVersion", () => {
  const server = { apiServerID: "a", encodingVersion: "apps/v1", decodableVersions: ["apps/v1"] };
  const condition = {
    type: "AllEncodingVersionsEqual",
    status: "True",
    reason: "R",
    message: "m",
    lastTransitionTime: "2020-01-01T00:00:00Z",
  };
  const common = "status.commonEncodingVersion: Invalid value:";

  test.each<[title: string, status: object, findings: readonly unknown[]]>([
    [
      "may contain the common encoding version",
      { storageVersions: [server], commonEncodingVersion: "apps/v1", conditions: [condition] },
      [],
    ],
    [
      "must contain the common encoding version",
      { storageVersions: [server] },
      [`${common} "null": the common encoding version is apps/v1`],
    ],
    [
      "must not contain another encoding version",
      { storageVersions: [server], commonEncodingVersion: "v2" },
      [`${common} "v2": the actual common encoding version is apps/v1`],
    ],
    [
      "must not contain a version without agreement",
      { commonEncodingVersion: "v1" },
      [
        `${common} "v1": should be nil if servers do not agree on the same encoding version, or if there is no server reporting the supported versions yet`,
      ],
    ],
    [
      "must have valid server ids and versions",
      {
        storageVersions: [
          { apiServerID: "A", encodingVersion: "/V", decodableVersions: ["a/b/c", "A/v1", ""] },
        ],
      },
      [
        expect.stringContaining(
          'status.storageVersions[0].apiServerID: Invalid value: "A": a lowercase RFC 1123',
        ),
        expect.stringContaining(
          `status.storageVersions[0].encodingVersion: Invalid value: "/V": group part: must be non-empty,version part: ${label}`,
        ),
        "status.storageVersions[0].decodableVersions[0]: Invalid value: \"a/b/c\": an apiVersion is a DNS-1035 label, which must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyVersion')",
        expect.stringContaining(
          'decodableVersions[1]: Invalid value: "A/v1": group part: a lowercase RFC 1123',
        ),
        'status.storageVersions[0].decodableVersions[2]: Invalid value: "": version part: must be non-empty',
        'status.storageVersions[0].decodableVersions: Invalid value: []string{"a/b/c", "A/v1", ""}: decodableVersions must include encodingVersion /V',
        `${common} "null": the common encoding version is /V`,
      ],
    ],
    [
      "must have conditions with types and reasons",
      { conditions: [{ type: "a b", status: "", lastTransitionTime: null }] },
      [
        expect.stringContaining('status[0].type: Invalid value: "a b": name part must consist of'),
        'status[0].status: Invalid value: "a b": name part must be non-empty',
        expect.stringContaining('status[0].status: Invalid value: "a b": name part must consist of'),
        "status[0].reason: Required value: reason cannot be empty",
        "status[0].message: Required value: message cannot be empty",
      ],
    ],
  ])("%s", async (_title, status, findings) => {
    const send = gatedClient();
    await send("POST", path, { metadata: { name: "apps.deployments" }, spec: {} });
    const answer = await send("PATCH", `${path}/apps.deployments/status`, { status });
    expect(answer.findings).toEqual(findings);
  });

  test("must not have duplicate conditions", async () => {
    const send = gatedClient();
    const { object } = await send("POST", path, { metadata: { name: "apps.deployments" }, spec: {} });
    const status = { conditions: [condition, condition] };
    const { findings } = await send("PUT", `${path}/apps.deployments/status`, { ...object, status });
    expect(findings).toEqual([
      'status[1].type: Invalid value: "AllEncodingVersionsEqual": the type of the condition is not unique, it also appears in conditions[0]',
    ]);
  });
});
