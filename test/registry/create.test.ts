import { describe, expect, test } from "vitest";
import { ClusterCore } from "../../src/cluster/cluster-core.ts";
import { completeOptions } from "../../src/cluster/options.ts";
import { Cluster } from "../../src/index.ts";
import { gadget, gadgetDefinition, gadgetsPath, gadgetVersion } from "../kinds/apiextensions/gadgets.ts";
import { askingForPods, podsPath } from "./pods.ts";
import { quietCluster, testClient } from "./test-client.ts";
import { podTemplate } from "./workloads.ts";

const configMaps = "/api/v1/namespaces/default/configmaps";
const leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
const isRefused = [500, "resourceVersion should not be set on objects to be created"];

describe("a new object with a resourceVersion", () => {
  test.each<[resourceVersion: string, refusal: readonly unknown[] | undefined]>([
    ["1", isRefused],
    ["18446744073709551615", isRefused],
    ["18446744073709551616", undefined],
    ["0", undefined],
    ["", undefined],
    ["x", undefined],
    ["-1", undefined],
  ])("is refused if that is a positive number: %j", async (resourceVersion, refusal) => {
    const send = testClient(quietCluster());
    const { code, findings, object } = await send("POST", configMaps, {
      metadata: { name: "m", resourceVersion },
    });
    if (refusal !== undefined) expect([code, ...findings]).toEqual(refusal);
    else expect([code, object.metadata.resourceVersion]).toEqual([201, expect.stringMatching(/^[1-9]\d*$/)]);
  });

  test("is refused only if it is valid otherwise", async () => {
    const send = testClient(quietCluster());
    const { code } = await send("POST", configMaps, { metadata: { name: "M", resourceVersion: "1" } });
    expect(code).toBe(422);
  });

  test("is accepted if an update creates it", async () => {
    const send = testClient(quietCluster());
    const { code, object } = await send("PUT", `${leases}/m`, {
      metadata: { name: "m", resourceVersion: "1" },
    });
    expect(code).toBe(201);
    expect(object.metadata.resourceVersion).not.toBe("1");
  });
});

test("objects created from the same template change independently", async () => {
  const send = testClient(quietCluster());
  const made = (name: string, data: object) => ({ metadata: { name, labels: { app: "a" } }, data });
  for (const name of ["a", "b"]) await send("POST", configMaps, made(name, { key: "1" }));
  await send("PUT", `${configMaps}/a`, made("a", { key: "2" }));
  await send("POST", configMaps, made("c", { key: "1" }));
  const found = ["a", "b", "c"].map(async (name) => (await send("GET", `${configMaps}/${name}`)).object);
  expect((await Promise.all(found)).map((object) => [object.metadata.name, object["data"]])).toEqual([
    ["a", { key: "2" }],
    ["b", { key: "1" }],
    ["c", { key: "1" }],
  ]);
});

describe("a generated name", () => {
  /** Requests to a cluster with these suffixes, of which the last one repeats; and how many it has taken. */
  function withSuffixes(...suffixes: readonly string[]) {
    const config = completeOptions({ controllers: [] });
    let taken = 0;
    const suffix = () => suffixes[Math.min(taken++, suffixes.length - 1)] ?? "";
    const core = new ClusterCore({ ...config, identifiers: { ...config.identifiers, suffix } });
    return { send: testClient(new Cluster(core)), taken: () => taken };
  }
  const generated = { metadata: { generateName: "m-" } };

  test("that is taken is generated again, up to seven times", async () => {
    const { send, taken } = withSuffixes("aaaaa", ...Array<string>(7).fill("aaaaa"), "bbbbb");
    expect((await send("POST", configMaps, generated)).object.metadata.name).toBe("m-aaaaa");
    expect((await send("POST", configMaps, generated)).object.metadata.name).toBe("m-bbbbb");
    expect(taken()).toBe(9);
  });

  test("is refused after the eighth attempt", async () => {
    const { send, taken } = withSuffixes("aaaaa");
    await send("POST", configMaps, generated);
    const { code, object } = await send("POST", configMaps, generated);
    expect([code, taken()]).toEqual([409, 9]);
    expect(object).toMatchObject({
      reason: "AlreadyExists",
      message:
        'configmaps "m-aaaaa" already exists, the server was not able to generate a unique name for the object',
      details: { name: "m-aaaaa", kind: "configmaps", retryAfterSeconds: 1 },
    });
  });

  test("is not generated again for another error, and a given name never", async () => {
    const { send, taken } = withSuffixes("aaaaa");
    expect((await send("POST", configMaps, { metadata: { generateName: "M-" } })).code).toBe(422);
    expect(taken()).toBe(1);
    await send("POST", configMaps, { metadata: { name: "m", generateName: "m-" } });
    const { findings } = await send("POST", configMaps, { metadata: { name: "m", generateName: "m-" } });
    expect([findings, taken()]).toEqual([['configmaps "m" already exists'], 1]);
  });
});

test("a create that returns no object is answered with the Status of a created object", async () => {
  const send = askingForPods();
  await send("POST", podsPath, { ...podTemplate(), metadata: { name: "p" } });
  const { object } = await send("POST", `${podsPath}/p/binding`, {
    metadata: { name: "p" },
    target: { kind: "Node", name: "n" },
  });
  expect(object).toEqual({ kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 });
});

test("a review is answered, and has no subresource", async () => {
  const send = testClient(quietCluster());
  const path = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
  const spec = { resourceAttributes: { verb: "get", resource: "pods" } };
  const { code, object } = await send("POST", path, { spec });
  expect([code, object.kind, object.status.allowed]).toEqual([201, "SelfSubjectAccessReview", true]);
  expect((await send("GET", `${path}/a/status`)).code).toBe(404);
});

test("a custom object has the version of the request, whichever is stored", async () => {
  const cluster = quietCluster();
  const spec = { type: "object", properties: { size: { type: "integer" } } };
  await cluster.create(gadgetDefinition([gadgetVersion("v1", spec), gadgetVersion("v2", spec)]));
  const send = testClient(cluster);
  const created = await send("POST", gadgetsPath("v2"), gadget("g", { size: 1 }, "v2"));
  expect([created.code, created.object.apiVersion]).toEqual([201, "example.com/v2"]);
  const versions = ["v1", "v2"].map(async (version) => (await send("GET", gadgetsPath(version, "g"))).object);
  expect((await Promise.all(versions)).map(({ apiVersion }) => apiVersion)).toEqual([
    "example.com/v1",
    "example.com/v2",
  ]);
});

test("a kind that has no strategy of its own has that of every object", async () => {
  const send = testClient(quietCluster({ release: "1.20" }));
  const rule = { rule: "RunAsAny" };
  const spec = { seLinux: rule, runAsUser: rule, fsGroup: rule, supplementalGroups: rule };
  const path = "/apis/policy/v1beta1/podsecuritypolicies";
  expect((await send("POST", path, { metadata: { name: "p" }, spec })).code).toBe(201);
  expect((await send("POST", path, { metadata: { name: "P" }, spec })).code).toBe(422);
});
