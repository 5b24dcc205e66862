import { describe, expect, test } from "vitest";
import { askingForPods, podsPath as path } from "../../registry/pods.ts";
import type { SendRequest } from "../../registry/test-client.ts";

async function made(spec: object = {}, status: object = {}, release = "1.32"): Promise<SendRequest> {
  const send = askingForPods(release);
  const containers = [{ name: "c", image: "i" }];
  await send("POST", path, { metadata: { name: "p" }, spec: { containers, ...spec } });
  expect((await send("PATCH", `${path}/p/status`, { status })).findings).toEqual([]);
  return send;
}

describe("the status of a pod", () => {
  test("can be changed with labels, but not with a spec or owners", async () => {
    const send = await made();
    const owner = { apiVersion: "v1", kind: "A", name: "a", uid: "u" };
    const { object } = await send("PATCH", `${path}/p/status`, {
      metadata: { labels: { a: "b" }, ownerReferences: [owner] },
      spec: { restartPolicy: "Never" },
      status: { phase: "Running" },
    });
    expect(object.metadata.labels).toEqual({ a: "b" });
    expect(object.metadata.ownerReferences).toBeUndefined();
    expect(object.spec.restartPolicy).toBe("Always");
    expect(object.status).toEqual({ phase: "Running", qosClass: "BestEffort" });
  });

  test("keeps the QoS class of the pod if it is omitted", async () => {
    const send = await made();
    const { object: pod } = await send("GET", `${path}/p`);
    const { object } = await send("PUT", `${path}/p/status`, { ...pod, status: { phase: "Running" } });
    expect(object.status).toEqual({ phase: "Running", qosClass: "BestEffort" });
  });

  test.each<[string, object]>([
    ["its first address", { podIP: "10.0.0.1" }],
    ["its addresses", { podIPs: [{ ip: "10.0.0.1" }] }],
  ])("contains all addresses if it contains %s", async (_title, status) => {
    const { object } = await (await made())("PATCH", `${path}/p/status`, { status });
    expect(object.status).toMatchObject({ podIP: "10.0.0.1", podIPs: [{ ip: "10.0.0.1" }] });
  });
});

const ip = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";
const families = "may specify no more than one IP for each IP family";

function ended(exitCode: number, name = "c"): object {
  const state = { terminated: { exitCode } };
  return { name, image: "i", imageID: "", ready: false, restartCount: 0, state };
}

describe("a status is refused for", () => {
  test.each<[string, object, readonly unknown[]]>([
    [
      "an invalid condition",
      { conditions: [{ type: "a b", status: "True" }] },
      [
        expect.stringContaining(
          'metadata.conditions[0].Type: Invalid value: "a b": name part must consist of',
        ),
      ],
    ],
    [
      "an invalid node",
      { nominatedNodeName: "A" },
      [expect.stringContaining('status.nominatedNodeName: Invalid value: "A"')],
    ],
    [
      "another class",
      { qosClass: "Guaranteed" },
      ['status.qosClass: Invalid value: "Guaranteed": field is immutable'],
    ],
    ["an invalid address", { podIP: "a" }, [`status.podIPs[0]: Invalid value: "a": ${ip}`]],
    [
      "two addresses of a family",
      { podIPs: [{ ip: "10.0.0.1" }, { ip: "10.0.0.2" }] },
      [
        expect.stringMatching(
          /^status\.podIPs: Invalid value: \[\]core\.PodIP\{.*\}: may specify no more than one IP for each IP family$/,
        ),
      ],
    ],
    [
      "a duplicate address",
      { podIPs: [{ ip: "10.0.0.1" }, { ip: "10.0.0.1" }] },
      [expect.stringContaining(families), 'status.podIPs[1]: Duplicate value: core.PodIP{IP:"10.0.0.1"}'],
    ],
    [
      "addresses of an invalid family",
      { podIPs: [{ ip: "10.0.0.1" }, { ip: "x" }] },
      [
        `status.podIPs[1]: Invalid value: "x": ${ip}`,
        "status.podIPs: Internal error: failed to check for dual stack with error:invalid IP[1]: x",
        `status.podIPs: Invalid value: []core.PodIP{core.PodIP{IP:"10.0.0.1"}, core.PodIP{IP:"x"}}: ${families}`,
      ],
    ],
    [
      "another first address of the host",
      { hostIP: "10.0.0.1", hostIPs: [{ ip: "10.0.0.2" }] },
      ['status.hostIPs[0].ip: Invalid value: "10.0.0.2": must be equal to `hostIP`'],
    ],
  ])("%s", async (_title, status, findings) => {
    const send = await made();
    expect((await send("PATCH", `${path}/p/status`, { status })).findings).toEqual(findings);
  });

  test("resources that were not requested, and an invalid health", async () => {
    const resources = { requests: { "a.b/gpu": "1" }, limits: { "a.b/gpu": "1" } };
    const claims = [{ name: "m", resourceClaimName: "m" }];
    const containers = [
      { name: "c", image: "i", resources },
      { name: "d", image: "i", resources: { claims: [{ name: "m", request: "r" }] } },
    ];
    const send = await made({ containers, resourceClaims: claims }, {}, "1.36");
    const sick = [
      { resourceID: "1", health: "Sick" },
      { resourceID: "1", health: "Unknown" },
    ];
    const report = (name: string, ...resourceNames: readonly string[]) => ({
      ...ended(0, name),
      allocatedResourcesStatus: resourceNames.map((resource) => ({ name: resource, resources: sick })),
    });
    const containerStatuses = [
      report("c", "a.b/gpu", "cpu"),
      report("d", "claim:m/r", "claim:m"),
      report("e", "x"),
    ];
    const { findings } = await send("PATCH", `${path}/p/status`, { status: { containerStatuses } });
    const health = (i: number, j: number) => [
      `status.containerStatuses[${i}].allocatedResourcesStatus[${j}].resources[0].health: Unsupported value: "Sick": supported values: "Healthy", "Unhealthy", "Unknown"`,
      `status.containerStatuses[${i}].allocatedResourcesStatus[${j}].resources[1].resourceID: Duplicate value: "1"`,
    ];
    const name = (i: number, value: string, detail: string) =>
      `status.containerStatuses[${i}].allocatedResourcesStatus[1].name: Invalid value: "${value}": must match one of the container's ${detail}`;
    expect(findings).toEqual([
      ...health(0, 0),
      name(0, "cpu", "resource requests"),
      ...health(0, 1),
      ...health(1, 0),
      name(
        1,
        "claim:m",
        "resource claims in a format 'claim:<claimName>/<request>' or 'claim:<claimName>' if request is empty",
      ),
      ...health(1, 1),
      ...health(2, 0),
    ]);
  });

  test("a Linux user in a Windows pod", async () => {
    const send = await made({ os: { name: "windows" } }, {}, "1.33");
    const [status] = [ended(0)];
    const containerStatuses = [{ ...status, user: { linux: { uid: 1, gid: 1 } } }];
    const { findings } = await send("PATCH", `${path}/p/status`, { status: { containerStatuses } });
    expect(findings).toEqual([
      "status.containerStatuses[0].linux: Forbidden: cannot be set for a windows pod",
    ]);
  });

  const illegal = (list: string) => [
    `status.${list}[0].state: Forbidden: may not be transitioned to non-terminated state`,
  ];
  const once = [{ action: "Restart", exitCodes: { operator: "In", values: [42] } }];
  const all = [{ action: "RestartAllContainers", exitCodes: { operator: "In", values: [42] } }];

  test.each<
    [
      title: string,
      release: string,
      policy: string,
      own: object,
      exitCode: number,
      findings: readonly string[],
    ]
  >([
    [
      "nothing, for a restart by the container's policy",
      "1.35",
      "Never",
      { restartPolicy: "OnFailure" },
      1,
      [],
    ],
    [
      "a restart against the container's policy",
      "1.35",
      "Always",
      { restartPolicy: "Never" },
      1,
      illegal("containerStatuses"),
    ],
    [
      "nothing, for a restart by a rule",
      "1.35",
      "Never",
      { restartPolicy: "Never", restartPolicyRules: once },
      42,
      [],
    ],
    [
      "a restart that no rule is about",
      "1.35",
      "Never",
      { restartPolicy: "Never", restartPolicyRules: once },
      1,
      illegal("containerStatuses"),
    ],
    [
      "nothing, for a restart of all",
      "1.36",
      "Never",
      { restartPolicy: "Never", restartPolicyRules: all },
      1,
      [],
    ],
    ["a restart, in a release without rules", "1.34", "Never", {}, 42, illegal("containerStatuses")],
  ])("%s", async (_title, release, restartPolicy, own, exitCode, findings) => {
    const containers = [{ name: "c", image: "i", ...own }];
    const send = await made({ restartPolicy, containers }, { containerStatuses: [ended(exitCode)] }, release);
    const status = { containerStatuses: [{ ...ended(exitCode), state: { running: {} } }] };
    expect((await send("PATCH", `${path}/p/status`, { status })).findings).toEqual(findings);
  });

  test("unknown or duplicate claims, since 1.34", async () => {
    const resourceClaims = [{ name: "a", resourceClaimTemplateName: "t" }];
    const send = await made({ resourceClaims }, {}, "1.34");
    const { object: pod } = await send("GET", `${path}/p`);
    const claim = (name: string, resourceClaimName: string) => ({ name, resourceClaimName });
    const resourceClaimStatuses = [claim("a", "A"), claim("b", "b"), claim("a", "a")];
    const { findings } = await send("PUT", `${path}/p/status`, {
      ...pod,
      status: { ...pod.status, resourceClaimStatuses },
    });
    expect(findings).toEqual([
      expect.stringMatching(/^status\.resourceClaimStatuses\[0\]\.name: Invalid value: "A": a lowercase RFC/),
      'status.resourceClaimStatuses[1].name: Invalid value: "b": must match the name of an entry in `spec.resourceClaims`',
      'status.resourceClaimStatuses[2].name: Duplicate value: "a"',
    ]);
  });

  test.each<[string, object, string, object, readonly unknown[]]>([
    [
      "restarts of a pod that never restarts",
      { restartPolicy: "Never" },
      "containerStatuses",
      ended(1),
      illegal("containerStatuses"),
    ],
    [
      "restarts after success",
      { restartPolicy: "OnFailure" },
      "containerStatuses",
      ended(0),
      illegal("containerStatuses"),
    ],
    [
      "nothing, for restarts after failure",
      { restartPolicy: "OnFailure" },
      "containerStatuses",
      ended(1),
      [],
    ],
    ["nothing, for restarts of a pod that always restarts", {}, "containerStatuses", ended(0), []],
    [
      "nothing, for restarts of a sidecar",
      { restartPolicy: "Never", initContainers: [{ name: "i", image: "i", restartPolicy: "Always" }] },
      "initContainerStatuses",
      ended(0, "i"),
      [],
    ],
    [
      "restarts of an ephemeral container",
      {},
      "ephemeralContainerStatuses",
      ended(1),
      illegal("ephemeralContainerStatuses"),
    ],
  ])("%s", async (_title, spec, list, before, findings) => {
    const send = await made(spec, { [list]: [before] });
    const status = { [list]: [{ ...before, state: { running: {} } }] };
    expect((await send("PATCH", `${path}/p/status`, { status })).findings).toEqual(findings);
  });
});
