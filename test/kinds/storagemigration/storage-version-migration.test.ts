import { describe, expect, test } from "vitest";
import { quietCluster, type SendRequest, testClient } from "../../registry/test-client.ts";

const alpha = "v1alpha1";
const beta = "v1beta1";
const name = "m";
const reason = "R";

function pathOf(version: string): string {
  return `/apis/storagemigration.k8s.io/${version}/storageversionmigrations`;
}

function clientFor(version: string): SendRequest {
  const runtimeConfig = new Map([[`storagemigration.k8s.io/${version}`, true]]);
  return testClient(quietCluster({ release: version === alpha ? "1.32" : "1.35", runtimeConfig }));
}

const pods = { [alpha]: { version: "v1", resource: "pods" }, [beta]: { resource: "pods" } };
const immutable = "field is immutable";

describe("a StorageVersionMigration", () => {
  test.each<[version: keyof typeof pods, resource: object, findings: readonly unknown[]]>([
    [alpha, pods[alpha], []],
    [
      alpha,
      {},
      [
        "spec.resource.resource: Required value: resource is required",
        "spec.resource.version: Required value: version is required",
      ],
    ],
    [beta, pods[beta], []],
    [beta, {}, ["spec.resource.resource: Required value: resource is required to be set"]],
    [
      beta,
      { resource: "A", group: "B" },
      [
        expect.stringContaining(
          'spec.resource.resource: Invalid value: "A": a DNS-1035 label must consist of',
        ),
        expect.stringContaining('spec.resource.group: Invalid value: "B": a lowercase RFC 1123 subdomain'),
      ],
    ],
  ])("of %s requires a resource: %o", async (version, resource, findings) => {
    const answer = await clientFor(version)("POST", pathOf(version), {
      metadata: { name },
      spec: { resource },
    });
    expect(answer.findings).toEqual(findings);
  });

  test.each<[version: keyof typeof pods, change: object, findings: readonly string[]]>([
    [
      alpha,
      { group: "g", version: "v2", resource: "nodes" },
      [
        `group: Invalid value: "g": ${immutable}`,
        `version: Invalid value: "v2": ${immutable}`,
        `resource: Invalid value: "nodes": ${immutable}`,
      ],
    ],
    [
      beta,
      { resource: "nodes" },
      [`spec: Invalid value: {"Resource":{"group":"","resource":"nodes"}}: ${immutable}`],
    ],
  ])("of %s cannot change its resource", async (version, change, findings) => {
    const send = clientFor(version);
    await send("POST", pathOf(version), { metadata: { name }, spec: { resource: pods[version] } });
    const patch = { spec: { resource: change } };
    expect((await send("PATCH", `${pathOf(version)}/${name}`, patch)).findings).toEqual(findings);
  });
});

describe("the status of a StorageVersionMigration", () => {
  const time = "2020-01-02T03:04:05Z";
  const condition = (version: string, type: string, status = "True") =>
    version === alpha
      ? { type, status, reason, lastUpdateTime: time }
      : { type, status, reason, lastTransitionTime: time, message: "" };

  test.each<[version: keyof typeof pods, status: object, findings: readonly unknown[]]>([
    [alpha, { resourceVersion: "" }, []],
    [
      alpha,
      { resourceVersion: "x" },
      [
        'status.resourceVersion: Invalid value: "x": failed to parse resource version "x": strconv.ParseInt: parsing "x": invalid syntax',
      ],
    ],
    [
      alpha,
      { resourceVersion: "9223372036854775808" },
      [
        'status.resourceVersion: Invalid value: "9223372036854775808": failed to parse resource version "9223372036854775808": strconv.ParseInt: parsing "9223372036854775808": value out of range',
      ],
    ],
    [
      alpha,
      { resourceVersion: "-1" },
      ["status.resourceVersion: Invalid value: -1: must be greater than or equal to 0"],
    ],
    [
      alpha,
      { conditions: [{ type: "Running", status: "Q" }] },
      [
        'status.conditions[0].status: Unsupported value: "Q": supported values: "False", "True", "Unknown"',
        "status.conditions[0].lastTransitionTime: Required value",
        "status.conditions[0].reason: Required value",
      ],
    ],
    [
      beta,
      { resourceVersion: "01" },
      ['status.resourceVersion: Invalid value: "01": resource version is not well formed: 01'],
    ],
    [
      beta,
      { resourceVersion: "1", conditions: [{ type: "Running", status: "True", message: "" }] },
      [
        "status.conditions[0].lastTransitionTime: Required value",
        "status.conditions[0].reason: Required value",
      ],
    ],
    ...([alpha, beta] as const).map((version): [keyof typeof pods, object, readonly unknown[]] => [
      version,
      {
        resourceVersion: "1",
        conditions: ["Succeeded", "Failed", "Running"].map((type) => condition(version, type)),
      },
      [
        "Both success and failed conditions cannot be true at the same time",
        "Running condition cannot be true when success condition is true",
        "Running condition cannot be true when failed condition is true",
      ].map((detail) => expect.stringMatching(`^status.conditions: Invalid value: .*: ${detail}$`)),
    ]),
  ])("of %s: %o", async (version, status, findings) => {
    const send = clientFor(version);
    await send("POST", pathOf(version), { metadata: { name }, spec: { resource: pods[version] } });
    const answer = await send("PATCH", `${pathOf(version)}/${name}/status`, { status });
    expect(answer.findings).toEqual(findings);
  });

  test.each([
    [alpha, "Succeeded", "Success condition cannot be set to false once it is true", "cannot be updated"],
    [beta, "Failed", "Failed condition cannot be set to false once it is true", immutable],
  ] as const)("of %s comes to an end once: %s", async (version, type, detail, fixed) => {
    const send = clientFor(version);
    const path = `${pathOf(version)}/${name}`;
    await send("POST", pathOf(version), { metadata: { name }, spec: { resource: pods[version] } });
    const ended = { resourceVersion: "5", conditions: [condition(version, type)] };
    expect((await send("PATCH", `${path}/status`, { status: ended })).findings).toEqual([]);
    const again = { resourceVersion: "6", conditions: [condition(version, type, "False")] };
    const { findings } = await send("PATCH", `${path}/status`, { status: again });
    expect(findings).toEqual([
      `status.resourceVersion: Invalid value: "6": ${fixed}`,
      expect.stringMatching(`^status.conditions: Invalid value: .*: ${detail}$`),
    ]);
    if (version === alpha)
      expect(findings[1]).toContain("LastUpdateTime:time.Date(2020, time.January, 2, 3, 4, 5, 0, ");
  });
});
