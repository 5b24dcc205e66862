import { describe, expect, test } from "vitest";
import { VirtualClock } from "../../apimachinery/clock.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { DiscoveryGroup } from "../../served/discovery/discovery-group.ts";
import { OutgoingTargets } from "../../webhooks/outgoing-targets.ts";
import { registeredGroups, withRemoteResources } from "./group-documents.ts";
import { type RegisteredVersion, registeredVersion } from "./registered-version.ts";
import { RemoteApis } from "./remote-apis.ts";

interface Registration {
  readonly priority?: readonly [group: number, version: number];
  readonly isRemote?: boolean;
  readonly isAvailable?: boolean;
}

/** The APIService `version.group`. */
function apiService(name: string, options: Registration = {}): KubeObject {
  const { priority = [1000, 100], isRemote = false, isAvailable = true } = options;
  const [version = "", ...group] = name.split(".");
  return {
    apiVersion: "apiregistration.k8s.io/v1",
    kind: "APIService",
    metadata: { name },
    spec: {
      group: group.join("."),
      version,
      groupPriorityMinimum: priority[0],
      versionPriority: priority[1],
      ...(isRemote && { service: { namespace: "n", name: "s" } }),
    },
    status: { conditions: [{ type: "Available", status: isAvailable ? "True" : "False" }] },
  };
}
const registered = (name: string, ...priority: [number, number] | []): RegisteredVersion =>
  registeredVersion(apiService(name, priority.length > 0 ? { priority: priority as [number, number] } : {}));

function group(name: string, versions: readonly string[], ownKind: "empty" | "full"): DiscoveryGroup {
  return {
    name,
    versions: versions.map((version) => ({ version, resources: [], ownKind, freshness: "Current" })),
  };
}

describe("the groups in /apis", () => {
  const own = group("apiregistration.k8s.io", ["v1"], "empty");
  const shown = (versions: readonly RegisteredVersion[], served: readonly DiscoveryGroup[]) =>
    registeredGroups(versions, served).map((one) => [
      one.name,
      ...one.versions.map(({ version }) => version),
    ]);

  test.each<
    [string, readonly RegisteredVersion[], readonly DiscoveryGroup[], readonly (readonly string[])[]]
  >([
    [
      "begin with that of APIServices",
      [registered("v1.a", 30_000, 1)],
      [own],
      [
        ["apiregistration.k8s.io", "v1"],
        ["a", "v1"],
      ],
    ],
    [
      "have that of APIServices once",
      [registered("v1.apiregistration.k8s.io")],
      [own],
      [["apiregistration.k8s.io", "v1"]],
    ],
    ["do not have the core group", [registered("v1.")], [], []],
    [
      "follow the highest priority of their versions",
      [
        registered("v1.a", 5, 1),
        registered("v1.b", 6, 1),
        registered("v2.a", 7, 1),
        registered("v1.c", 8, 1),
      ],
      [],
      [
        ["c", "v1"],
        ["a", "v2", "v1"],
        ["b", "v1"],
      ],
    ],
    [
      "follow the names of APIServices if the priorities are equal",
      [registered("v1.b"), registered("v2.a"), registered("v1.c")],
      [],
      [
        ["b", "v1"],
        ["c", "v1"],
        ["a", "v2"],
      ],
    ],
    [
      "have their versions by priority",
      [registered("v1.a", 5, 1), registered("v1beta1.a", 5, 2)],
      [],
      [["a", "v1beta1", "v1"]],
    ],
    [
      "have the versions of custom resources that will have an APIService",
      [registered("v1.a", 1000, 100), registered("v1.z", 999, 100)],
      [group("a", ["v1", "v2"], "full"), group("m", ["v1"], "full")],
      [
        ["a", "v2", "v1"],
        ["m", "v1"],
        ["z", "v1"],
      ],
    ],
    ["do not have built-in versions without an APIService", [], [group("apps", ["v1"], "empty")], []],
  ])("%s", (_title, versions, served, expected) => {
    expect(shown(versions, served)).toEqual(expected);
  });

  test("have versions like those of custom resources", () => {
    const version = { version: "v1", resources: [], ownKind: "full", freshness: "Current" };
    expect(registeredGroups([registered("v1.a")], [])).toEqual([{ name: "a", versions: [version] }]);
  });
});

describe("the aggregated document of /apis", () => {
  const item = (name: string, ...versions: readonly string[]) => ({
    metadata: { name, creationTimestamp: null },
    versions: versions.map((version) => ({ version, freshness: "Current" })),
  });

  /** The document with these APIServices, whose servers have the resource `things`, or none. */
  async function documentWith(
    apiServices: readonly KubeObject[],
    items: readonly JsonObject[],
    has: readonly string[] = ["things"],
  ): Promise<JsonObject> {
    const targets = new OutgoingTargets();
    const apis = new RemoteApis({
      clock: new VirtualClock(0),
      targets,
      outages: { isDown: () => false },
      certificate: undefined,
      lister: { get: () => undefined, list: () => [] },
    });
    apis.follow(apiServices);
    const resources = has.map((name) => ({ name, kind: "Thing", verbs: [] }));
    for (const { name, ...gv } of apis.versions) {
      const remote = apis.remote(gv);
      if (remote === undefined) continue;
      targets.apiServers.add(name, ({ url }) =>
        url.endsWith("/apis") ? new Response("", { status: 404 }) : Response.json({ resources }),
      );
      await apis.discover(remote);
      if (name.startsWith("v0")) apis.forget(name);
    }
    return withRemoteResources({ kind: "K", items: [...items] }, apis);
  }
  const thing = {
    resource: "things",
    responseKind: { group: "", version: "", kind: "Thing" },
    scope: "Cluster",
    singularResource: "",
    verbs: [],
  };
  const remote: Registration = { isRemote: true };

  test("has the resources of other servers, in the form of its release", async () => {
    expect(await documentWith([apiService("v1.x", remote)], [item("apps", "v1")])).toEqual({
      kind: "K",
      items: [
        item("apps", "v1"),
        {
          metadata: { name: "x", creationTimestamp: null },
          versions: [{ version: "v1", resources: [thing], freshness: "Current" }],
        },
      ],
    });
    expect(await documentWith([apiService("v1.x", remote)], [])).toMatchObject({
      items: [{ metadata: { name: "x" }, versions: [{ version: "v1" }] }],
    });
  });

  test.each<[string, KubeObject, readonly string[], JsonObject]>([
    [
      "that is not available",
      apiService("v1.x", { isRemote: true, isAvailable: false }),
      ["things"],
      { version: "v1", resources: [thing], freshness: "Stale" },
    ],
    ["that does not answer", apiService("v0.x", remote), ["things"], { version: "v0", freshness: "Stale" }],
    ["without resources", apiService("v1.x", remote), [], { version: "v1", freshness: "Current" }],
  ])("shows a version %s", async (_title, of, has, expected) => {
    const { items } = await documentWith([of], [], has);
    expect(items).toEqual([{ metadata: { name: "x" }, versions: [expected] }]);
  });

  test("replaces a version of this server, and has none of the core group", async () => {
    const both = [apiService("v1.apps", remote), apiService("v1.", remote)];
    expect(await documentWith(both, [item("apps", "v1", "v1beta1")])).toMatchObject({
      items: [
        {
          metadata: { name: "apps" },
          versions: [{ version: "v1", resources: [thing] }, { version: "v1beta1" }],
        },
      ],
    });
  });

  test("is in the order of priorities: of APIServices, built-in versions, and custom resources", async () => {
    const services = [
      apiService("v1.high", { isRemote: true, priority: [19_000, 1] }),
      apiService("v1.low", { isRemote: true, priority: [999, 1] }),
      apiService("v1.batch", { priority: [17_900, 1] }),
    ];
    const items = ["custom", "apps", "batch", "apiregistration.k8s.io"].map((name) => item(name, "v1"));
    const { items: shown } = await documentWith(services, items);
    expect(shown).toMatchObject(
      ["apiregistration.k8s.io", "high", "batch", "apps", "custom", "low"].map((name) => ({
        metadata: { name },
      })),
    );
  });
});
