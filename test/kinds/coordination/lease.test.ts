import { describe, expect, test } from "vitest";
import { quietCluster, testClient } from "../../registry/test-client.ts";

const path = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
const coordinated = { featureGates: new Map([["CoordinatedLeaderElection", true]]) };

describe("a Lease is refused for", () => {
  test.each<[string, object, readonly unknown[]]>([
    [
      "no time",
      { leaseDurationSeconds: 0 },
      ["spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0"],
    ],
    [
      "fewer than no transitions",
      { leaseTransitions: -1 },
      ["spec.leaseTransitions: Invalid value: -1: must be greater than or equal to 0"],
    ],
    [
      "an invalid strategy",
      { strategy: "x" },
      ['spec.strategy.strategy: Unsupported value: "x": supported values: "OldestEmulationVersion"'],
    ],
    [
      "an invalid custom strategy",
      { strategy: "x.io/a b" },
      [
        expect.stringContaining(
          'spec.strategy.strategy: Invalid value: "x.io/a b": name part must consist of',
        ),
      ],
    ],
    [
      "a holder that is preferred by no strategy",
      { preferredHolder: "me" },
      ["spec.preferredHolder: Forbidden: may only be specified if `strategy` is defined"],
    ],
  ])("%s", async (_title, spec, findings) => {
    const send = testClient(quietCluster(coordinated));
    expect((await send("POST", path, { metadata: { name: "l" }, spec })).findings).toEqual(findings);
    await send("POST", path, { metadata: { name: "l" }, spec: {} });
    expect((await send("PATCH", `${path}/l`, { spec })).findings).toEqual(findings);
  });
});

test("a Lease may have a custom strategy, and times in microseconds", async () => {
  const spec = { strategy: "x.io/y", preferredHolder: "you", renewTime: "2020-01-01T00:00:00.000001Z" };
  const { object } = await testClient(quietCluster(coordinated))("POST", path, {
    metadata: { name: "l" },
    spec,
  });
  expect(object.spec).toEqual(spec);
});

test("a Lease can be created by PUT, and an update requires its resourceVersion", async () => {
  const send = testClient(quietCluster());
  const body = { metadata: { name: "l" }, spec: {} };
  expect((await send("PUT", `${path}/l`, body)).code).toBe(201);
  expect((await send("PUT", `${path}/l`, body)).findings).toEqual([
    "metadata.resourceVersion: Invalid value: 0x0: must be specified for an update",
  ]);
});

test("fields of disabled gates are dropped", async () => {
  const spec = { holderIdentity: "me", strategy: "x", preferredHolder: "you" };
  const { object } = await testClient(quietCluster())("POST", path, { metadata: { name: "l" }, spec });
  expect(object.spec).toEqual({ holderIdentity: "me" });
});

describe("a LeaseCandidate", () => {
  const candidates = "/apis/coordination.k8s.io/v1alpha2/namespaces/default/leasecandidates";
  const runtimeConfig = new Map([["coordination.k8s.io/v1alpha2", true]]);
  const good = {
    leaseName: "l",
    binaryVersion: "1.32.0",
    emulationVersion: "1.31.0",
    strategy: "OldestEmulationVersion",
  };

  test.each<[string, object, readonly string[]]>([
    ["has a lease", { leaseName: "" }, ["spec.leaseName: Required value"]],
    ["has a version", { binaryVersion: "" }, ["spec.binaryVersion: Required value"]],
    [
      "has versions that are some",
      { binaryVersion: "1.32", emulationVersion: "v1" },
      [
        'spec.emulationVersion: Invalid value: "v1": must be a valid semantic version',
        'spec.binaryVersion: Invalid value: "1.32": must be a valid semantic version',
        "spec.emulationVersion: Required value: must be specified when `strategy` is 'OldestEmulationVersion'",
      ],
    ],
    [
      "cannot emulate a newer version",
      { emulationVersion: "1.33.0" },
      ['spec.binaryVersion: Invalid value: "1.32.0": must be greater than or equal to `emulationVersion`'],
    ],
    [
      "cannot emulate the release of a release candidate",
      { binaryVersion: "1.32.0-rc.1", emulationVersion: "1.32.0" },
      [
        'spec.binaryVersion: Invalid value: "1.32.0-rc.1": must be greater than or equal to `emulationVersion`',
      ],
    ],
    ["has a strategy", { strategy: "" }, ["spec.strategy: Required value"]],
  ])("%s", async (_title, change, findings) => {
    const send = testClient(quietCluster({ runtimeConfig }));
    const answer = await send("POST", candidates, { metadata: { name: "c" }, spec: { ...good, ...change } });
    expect(answer.findings).toEqual(findings);
  });

  test("may be newer than its emulated version in any part", async () => {
    const send = testClient(quietCluster({ runtimeConfig }));
    for (const [name, emulationVersion] of ["1.32.0", "1.31.9", "0.40.0"].entries()) {
      const spec = { ...good, emulationVersion };
      const answer = await send("POST", candidates, { metadata: { name: `c${name}` }, spec });
      expect(answer.code).toBe(201);
    }
  });

  test("is renewed", async () => {
    const send = testClient(quietCluster({ runtimeConfig }));
    await send("POST", candidates, { metadata: { name: "c" }, spec: good });
    const renewTime = "2020-01-01T00:00:00.000000Z";
    const { object } = await send("PATCH", `${candidates}/c`, { spec: { renewTime } });
    expect(object.spec.renewTime).toBe(renewTime);
  });

  test("cannot change its lease", async () => {
    const send = testClient(quietCluster({ runtimeConfig }));
    await send("POST", candidates, { metadata: { name: "c" }, spec: good });
    const { findings } = await send("PATCH", `${candidates}/c`, { spec: { leaseName: "m" } });
    expect(findings).toEqual(['spec.leaseName: Invalid value: "m": field is immutable']);
  });
});
