import { expect, test } from "vitest";
import { structAt } from "../../src/apimachinery/fields.ts";
import type { JsonObject } from "../../src/apimachinery/json.ts";
import type { KubeObject } from "../../src/apimachinery/object-meta.ts";
import { type Release, releases } from "../../src/apimachinery/release.ts";
import freshCluster from "../../src/cluster/generated/fresh-cluster.json?raw";
import rbacDefaults from "../../src/cluster/generated/rbac-defaults.json?raw";
import { recordedObjects } from "../../src/cluster/recorded-objects.ts";
import { createCluster } from "../../src/index.ts";

interface Metadata {
  readonly name: string;
  readonly namespace?: string;
  readonly resourceVersion?: string;
}

type Entry = readonly [path: string, object: JsonObject & { metadata: Metadata }];

/** What a server of the recorded release creates. */
const recorded = recordedObjects("1.32").map(({ path, object }): Entry => [path, object]);

/** The server creates them from the versions that it serves. */
const apiServices = "apiregistration.k8s.io/v1/apiservices";

/** Everything in fresh-cluster.json that is stored, in the order of creation. */
const fresh = Object.entries<unknown>(JSON.parse(freshCluster))
  .filter(([path]) => path.includes("/") && path !== "v1/componentstatuses")
  .filter(([path]) => path !== apiServices)
  .flatMap(([path, objects]) => (objects as Entry[1][]).map((object): Entry => [path, object]))
  .sort(([, a], [, b]) => Number(a.metadata.resourceVersion) - Number(b.metadata.resourceVersion));

test("the objects of a new cluster lose only fields that differ between clusters", () => {
  const differs = ["uid", "resourceVersion", "creationTimestamp", "time"];
  const kept = fresh.map(([path, { metadata, ...rest }]) => {
    const text = JSON.stringify(metadata, (key, value) => (differs.includes(key) ? undefined : value));
    return [path, { metadata: JSON.parse(text), ...rest }];
  });
  expect(recorded.slice(0, fresh.length).map(([path, object]) => [path, object])).toEqual(kept);
});

test("the objects of the RBAC policy follow, as recorded", () => {
  const { clusterRoles, clusterRoleBindings, roles, roleBindings } = JSON.parse(rbacDefaults);
  const policy = Object.entries({
    clusterroles: clusterRoles,
    clusterrolebindings: clusterRoleBindings,
    roles,
    rolebindings: roleBindings,
  }).flatMap(([resource, objects]) =>
    objects.map((object: JsonObject) => [`rbac.authorization.k8s.io/v1/${resource}`, object]),
  );
  const unpacked = recorded
    .slice(fresh.length)
    .map(([path, { metadata, ...rest }]) => [path, { ...metadata, ...rest }]);
  expect(unpacked).toEqual(policy);
});

test("a server of the recorded release has every object", async () => {
  const cluster = createCluster({ controllers: [], seed: 1 });
  const headers = { authorization: `Bearer ${cluster.adminToken()}` };
  for (const path of new Set(recorded.map(([path]) => path))) {
    const url = `https://cluster.test/${path.startsWith("v1/") ? "api" : "apis"}/${path}`;
    const { items } = (await (await cluster.fetch(url, { headers })).json()) as {
      items: { metadata: { name: string } }[];
    };
    const wanted = recorded.filter(([other]) => other === path).map(([, object]) => object.metadata.name);
    expect([path, items.map(({ metadata }) => metadata.name).sort()]).toEqual([path, wanted.sort()]);
  }
});

test.each<[Release, string, boolean]>([
  ["1.17", "system:controller:endpointslice-controller", false],
  ["1.18", "system:controller:endpointslice-controller", true],
  ["1.19", "system:monitoring", false],
  ["1.20", "system:monitoring", true],
  ["1.29", "system:controller:validatingadmissionpolicy-status-controller", false],
  ["1.30", "system:controller:validatingadmissionpolicy-status-controller", true],
  ["1.32", "system:controller:service-cidrs-controller", false],
  ["1.33", "system:controller:service-cidrs-controller", true],
  ["1.33", "system:controller:resource-claim-controller", false],
  ["1.36", "system:controller:resource-claim-controller", true],
  ["1.35", "system:controller:device-taint-eviction-controller", false],
  ["1.36", "system:controller:device-taint-eviction-controller", true],
  ["1.36", "system:controller:storage-version-garbage-collector", false],
])("in %s, the role %s and its binding exist: %s", async (release, name, exists) => {
  await using cluster = createCluster({ controllers: [], release });
  for (const kind of ["ClusterRole", "ClusterRoleBinding"]) {
    const found = cluster.get("rbac.authorization.k8s.io/v1", kind, name).then(
      () => true,
      () => false,
    );
    expect(await found).toBe(exists);
  }
});

/** The verbs that the rules of a role have for a resource or path, without rules for names. */
async function verbsIn(release: Release, name: string, resource: string): Promise<string> {
  await using cluster = createCluster({ release });
  const role = await cluster.get("rbac.authorization.k8s.io/v1", "ClusterRole", name);
  const rules = (role["rules"] ?? []) as readonly {
    verbs: readonly string[];
    resources?: readonly string[];
    nonResourceURLs?: readonly string[];
  }[];
  const matching = rules.filter((rule) =>
    [...(rule.resources ?? []), ...(rule.nonResourceURLs ?? [])].includes(resource),
  );
  return [...new Set(matching.flatMap(({ verbs }) => verbs))].sort().join(" ");
}

const write = "create delete deletecollection patch update";

// Upstream: plugin/pkg/auth/authorizer/rbac/bootstrappolicy, policy.go and controller_policy.go of the releases.
test.each<[role: string, resource: string, verbs: [release: Release, string][]]>([
  [
    "edit",
    "endpoints",
    [
      ["1.21", `create delete deletecollection get list patch update watch`],
      ["1.22", "get list watch"],
    ],
  ],
  [
    "system:aggregate-to-edit",
    "events",
    [
      ["1.21", ""],
      ["1.22", write],
      ["1.36", write],
    ],
  ],
  [
    "admin",
    "pods/eviction",
    [
      ["1.23", ""],
      ["1.24", "create"],
    ],
  ],
  [
    "view",
    "endpointslices",
    [
      ["1.21", ""],
      ["1.22", "get list watch"],
    ],
  ],
  [
    "view",
    "resourceclaims",
    [
      ["1.33", ""],
      ["1.34", "get list watch"],
    ],
  ],
  [
    "system:basic-user",
    "selfsubjectreviews",
    [
      ["1.26", ""],
      ["1.27", "create"],
    ],
  ],
  [
    "system:kube-scheduler",
    "volumeattachments",
    [
      ["1.31", ""],
      ["1.32", "get list watch"],
    ],
  ],
  [
    "system:kube-scheduler",
    "resourceclaims",
    [
      ["1.33", ""],
      ["1.36", "create delete get list patch update watch"],
    ],
  ],
  [
    "system:node",
    "resourceslices",
    [
      ["1.33", ""],
      ["1.34", "deletecollection"],
    ],
  ],
  [
    "system:kubelet-api-admin",
    "nodes/spec",
    [
      ["1.26", "*"],
      ["1.27", ""],
    ],
  ],
  [
    "system:kubelet-api-admin",
    "nodes/pods",
    [
      ["1.32", ""],
      ["1.33", "*"],
    ],
  ],
  [
    "system:monitoring",
    "/statusz",
    [
      ["1.35", ""],
      ["1.36", "get"],
    ],
  ],
  [
    "system:monitoring",
    "/metrics/slis",
    [
      ["1.25", ""],
      ["1.26", "get"],
    ],
  ],
  [
    "system:controller:namespace-controller",
    "*",
    [
      ["1.31", "delete deletecollection get list"],
      ["1.32", "delete deletecollection get list watch"],
    ],
  ],
  [
    "system:controller:pod-garbage-collector",
    "nodes",
    [
      ["1.16", "list"],
      ["1.17", "get list"],
      ["1.33", "get list watch"],
    ],
  ],
])("the role %s allows for %s what it does in each release", async (role, resource, verbs) => {
  for (const [release, wanted] of verbs)
    expect([release, await verbsIn(release, role, resource)]).toEqual([release, wanted]);
});

test("in every release, every default binding names a default role", () => {
  const dangling = releases.flatMap((release) => {
    const objects = recordedObjects(release);
    const names = new Set(
      objects.filter(({ path }) => path.endsWith("roles")).map(({ object }) => object.metadata.name),
    );
    return objects
      .filter(({ path }) => path.endsWith("rolebindings"))
      .map(({ object }) => String((object["roleRef"] as JsonObject)["name"]))
      .filter((name) => !names.has(name));
  });
  expect(dangling).toEqual([]);
});

test("in every release, every rule of a default role has verbs, and what they are for", () => {
  const rules = releases.flatMap((release) =>
    recordedObjects(release).flatMap(({ path, object }) =>
      path.endsWith("roles") ? ((object["rules"] ?? []) as readonly JsonObject[]) : [],
    ),
  );
  expect(rules.length).toBeGreaterThan(4000);
  expect(rules.filter((rule) => rule["verbs"] === undefined)).toEqual([]);
  expect(rules.filter((rule) => (rule["resources"] ?? rule["nonResourceURLs"]) === undefined)).toEqual([]);
});

test("only since 1.31 may the leader election controller hold the lock of the controller manager", () => {
  const subjectsIn = (release: Release) =>
    recordedObjects(release)
      .filter(({ object }) => object.metadata.name === "system::leader-locking-kube-controller-manager")
      .flatMap(({ object }) => (object["subjects"] ?? []) as readonly JsonObject[])
      .map(({ name }) => name);
  const before = ["system:kube-controller-manager", "kube-controller-manager"];
  expect(subjectsIn("1.30")).toEqual(before);
  expect(subjectsIn("1.31")).toEqual([...before, "leader-election-controller"]);
});

/** The objects of a resource in a new cluster. */
async function bootstrapped(
  release: Release,
  apiVersion: string,
  kind: string,
): Promise<readonly KubeObject[]> {
  await using cluster = createCluster({ controllers: [], release });
  return (await cluster.list(apiVersion, kind)).items;
}

test("a server of the recorded release creates the recorded APIServices", async () => {
  const sorted = (objects: readonly unknown[]): unknown =>
    objects
      .map((object) =>
        JSON.parse(JSON.stringify(object, (key, value) => (isPerCluster(key) ? undefined : value))),
      )
      .map(({ kind: _, apiVersion: __, ...rest }) => rest)
      .sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  const recordedServices = JSON.parse(freshCluster)[apiServices];
  const created = await bootstrapped("1.32", "apiregistration.k8s.io/v1", "APIService");
  expect(sorted(created)).toEqual(sorted(recordedServices));
});

const isPerCluster = (key: string): boolean =>
  ["uid", "resourceVersion", "creationTimestamp", "time", "lastTransitionTime"].includes(key);

test.each<[Release, readonly string[], readonly string[]]>([
  ["1.16", ["v1beta1.extensions", "v1beta1.rbac.authorization.k8s.io"], ["v2.autoscaling", "v1.policy"]],
  ["1.25", ["v2beta2.autoscaling", "v2.autoscaling"], ["v2beta1.autoscaling", "v1beta1.batch"]],
  ["1.36", ["v1.resource.k8s.io"], ["v2beta2.autoscaling"]],
])("APIServices of %s are those of the served versions", async (release, some, missing) => {
  const services = await bootstrapped(release, "apiregistration.k8s.io/v1", "APIService");
  const names = services.map(({ metadata }) => metadata.name ?? "");
  expect(names).toEqual(expect.arrayContaining([...some]));
  expect(names.filter((name) => missing.includes(name))).toEqual([]);
});

test.each<[Release, string, number, string, JsonObject]>([
  ["1.20", "v1beta1", 7, "workload-low", { assuredConcurrencyShares: 100 }],
  ["1.23", "v1beta2", 8, "workload-low", { assuredConcurrencyShares: 100 }],
  ["1.26", "v1beta2", 8, "workload-low", { assuredConcurrencyShares: 100, lendablePercent: 90 }],
  ["1.26", "v1beta3", 8, "workload-low", { nominalConcurrencyShares: 100, lendablePercent: 90 }],
  ["1.29", "v1beta3", 8, "catch-all", { nominalConcurrencyShares: 5, lendablePercent: 0 }],
  ["1.29", "v1", 8, "catch-all", { nominalConcurrencyShares: 5, lendablePercent: 0 }],
])("%s has priority levels in %s: %i, of which %s has %j", async (release, version, count, name, limited) => {
  const levels = await bootstrapped(
    release,
    `flowcontrol.apiserver.k8s.io/${version}`,
    "PriorityLevelConfiguration",
  );
  expect(levels).toHaveLength(count);
  const level = levels.find(({ metadata }) => metadata.name === name);
  const { limitResponse: _, ...shares } = structAt(level ?? {}, "spec", "limited");
  expect(shares).toEqual(limited);
  const annotations = level?.metadata.annotations;
  const isUpdated = Number(release.slice(2)) >= 22;
  expect(annotations).toEqual(isUpdated ? { "apf.kubernetes.io/autoupdate-spec": "true" } : undefined);
});

test.each<[Release, string, string, readonly string[]]>([
  ["1.19", "flowcontrol.apiserver.k8s.io/v1", "FlowSchema", []],
  ["1.25", "coordination.k8s.io/v1", "Lease", []],
  ["1.26", "coordination.k8s.io/v1", "Lease", ["kube-apiserver-wlv32tlttr4jl3gtroqexyxapa"]],
  ["1.27", "coordination.k8s.io/v1", "Lease", ["apiserver-wlv32tlttr4jl3gtroqexyxapa"]],
  ["1.26", "v1", "ConfigMap", []],
  ["1.27", "v1", "ConfigMap", ["kube-apiserver-legacy-service-account-token-tracking"]],
])("%s has these objects of %s %s: %j", async (release, apiVersion, kind, names) => {
  const found = await bootstrapped(release, apiVersion, kind).catch(() => []);
  expect(found.map(({ metadata }) => metadata.name)).toEqual(names);
});
