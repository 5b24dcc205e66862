import { expect, test } from "vitest";
import { quietCluster, testClient } from "../../registry/test-client.ts";

const path = "/apis/apiregistration.k8s.io/v1/apiservices";
const good = { group: "x.io", version: "v1", groupPriorityMinimum: 100, versionPriority: 1 };
const metadata = { name: "v1.x.io" };

test.each<[string, object, readonly unknown[]]>([
  [
    "another name",
    { metadata: { name: "a" }, spec: good },
    ['metadata.name: Invalid value: "a": must be `spec.version+"."+spec.group`: "v1.x.io"'],
  ],
  [
    "no group",
    { metadata: { name: "v2." }, spec: { ...good, group: "", version: "v2" } },
    ["spec.group: Required value: only v1 may have an empty group and it better be legacy kube"],
  ],
  [
    "an invalid group and an invalid version",
    { metadata: { name: "V.a_b" }, spec: { ...good, group: "a_b", version: "V" } },
    [
      expect.stringContaining('spec.group: Invalid value: "a_b": a lowercase RFC 1123 subdomain'),
      expect.stringContaining('spec.version: Invalid value: "V": a DNS-1035 label must'),
    ],
  ],
  [
    "a name that is not a path segment",
    { metadata: { name: "v1.x/io" }, spec: { ...good, group: "x/io" } },
    [
      "metadata.name: Invalid value: \"v1.x/io\": may not contain '/'",
      expect.stringContaining('spec.group: Invalid value: "x/io": a lowercase RFC 1123 subdomain'),
    ],
  ],
  [
    "other priorities",
    { metadata, spec: { ...good, groupPriorityMinimum: 0, versionPriority: 1001 } },
    [
      "spec.groupPriorityMinimum: Invalid value: 0: must be positive and less than 20000",
      "spec.versionPriority: Invalid value: 1001: must be positive and less than 1000",
    ],
  ],
  [
    "priorities",
    { metadata, spec: { ...good, groupPriorityMinimum: 20001, versionPriority: 0 } },
    [
      "spec.groupPriorityMinimum: Invalid value: 20001: must be positive and less than 20000",
      "spec.versionPriority: Invalid value: 0: must be positive and less than 1000",
    ],
  ],
  [
    "server fields in a local APIService",
    { metadata, spec: { ...good, caBundle: "AAAA", insecureSkipTLSVerify: true } },
    [
      'spec.caBundle: Invalid value: "3 bytes": local APIServices may not have a caBundle',
      "spec.insecureSkipTLSVerify: Invalid value: true: local APIServices may not have insecureSkipTLSVerify",
    ],
  ],
  [
    "an invalid server",
    {
      metadata,
      spec: { ...good, service: { port: 70000 }, caBundle: "AAAA", insecureSkipTLSVerify: true },
    },
    [
      "spec.service.namespace: Required value",
      "spec.service.name: Required value",
      "spec.service.port: Invalid value: 70000: port is not valid: must be between 1 and 65535, inclusive",
      "spec.insecureSkipTLSVerify: Invalid value: true: may not be true if caBundle is present",
    ],
  ],
])("an APIService is refused for %s", async (_title, body, findings) => {
  const send = testClient(quietCluster());
  expect((await send("POST", path, body)).findings).toEqual(findings);
});

test("an APIService with a server is unavailable at first, uses port 443, and takes its status only from /status", async () => {
  const send = testClient(quietCluster());
  const service = { namespace: "n", name: "s" };
  const conditions = [{ type: "Available", status: "True" }];
  const spec = { ...good, service, caBundle: "AAAA" };
  const { object } = await send("POST", path, { metadata, spec, status: { conditions } });
  expect(object).toMatchObject({ spec: { service: { ...service, port: 443 } }, status: {} });
  expect(object.status.conditions).toBeUndefined();
  const labelled = await send("PATCH", `${path}/v1.x.io`, {
    metadata: { labels: { a: "b" } },
    status: { conditions },
  });
  expect(labelled.object.metadata.labels).toEqual({ a: "b" });
  expect(labelled.object.status.conditions).toBeUndefined();
  const report = { metadata: { labels: { a: "c" } }, spec: { versionPriority: 9 }, status: { conditions } };
  const reported = await send("PATCH", `${path}/v1.x.io/status`, report);
  expect(reported.object).toMatchObject({
    metadata: { labels: { a: "b" } },
    spec: { versionPriority: 1 },
    status: { conditions: [{ type: "Available", status: "True" }] },
  });
});

test("only the legacy group may be empty", async () => {
  const send = testClient(quietCluster());
  await send("DELETE", `${path}/v1.`);
  const spec = { ...good, group: "", groupPriorityMinimum: 18000 };
  expect((await send("POST", path, { metadata: { name: "v1." }, spec })).code).toBe(201);
});

test("an APIService without a server is available, and its conditions have known states", async () => {
  const send = testClient(quietCluster());
  const { object } = await send("POST", path, { metadata, spec: good });
  expect(object.status.conditions).toEqual([
    {
      type: "Available",
      status: "True",
      lastTransitionTime: expect.any(String),
      reason: "Local",
      message: "Local APIServices are always available",
    },
  ]);
  const conditions = [{ type: "Available", status: "Maybe" }];
  expect((await send("PATCH", `${path}/v1.x.io/status`, { status: { conditions } })).findings).toEqual([
    'status.conditions[0].status: Unsupported value: "Maybe": supported values: "True", "False", "Unknown"',
  ]);
});
