import { expect, test } from "vitest";
import type { JsonObject } from "../../src/apimachinery/json.ts";
import { type Release, sinceOf } from "../../src/apimachinery/release.ts";
import text from "../../src/cluster/generated/bootstrap-objects.json?raw";
import freshCluster from "../../src/cluster/generated/fresh-cluster.json?raw";
import rbacDefaults from "../../src/cluster/generated/rbac-defaults.json?raw";
import { createCluster } from "../../src/index.ts";

interface Metadata {
  readonly name: string;
  readonly namespace?: string;
  readonly resourceVersion?: string;
}

type Entry = readonly [
  path: string,
  object: JsonObject & { metadata: Metadata },
  added?: JsonObject | null,
  since?: Release,
];

const recorded: readonly Entry[] = JSON.parse(text);

/** Everything in fresh-cluster.json, in the order of creation. */
const fresh = Object.entries<unknown>(JSON.parse(freshCluster))
  .filter(([path]) => path.includes("/") && path !== "v1/componentstatuses")
  .flatMap(([path, objects]) => (objects as Entry[1][]).map((object): Entry => [path, object]))
  .sort(([, a], [, b]) => Number(a.metadata.resourceVersion) - Number(b.metadata.resourceVersion));

test("the objects of a new cluster lose only fields that differ between clusters", () => {
  const differs = ["uid", "resourceVersion", "creationTimestamp", "time"];
  const kept = fresh.map(([path, { metadata, ...rest }]) => {
    const text = JSON.stringify(metadata, (key, value) => (differs.includes(key) ? undefined : value));
    return [path, { metadata: JSON.parse(text), ...rest }];
  });
  expect(recorded.slice(0, fresh.length)).toEqual(kept);
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
    .filter(([, , , since = "1.16"]) => sinceOf("1.32")(since))
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
    const wanted = recorded
      .filter(([other, , , since = "1.16"]) => other === path && sinceOf("1.32")(since))
      .map(([, object]) => object.metadata.name);
    expect([path, items.map(({ metadata }) => metadata.name).sort()]).toEqual([path, wanted.sort()]);
  }
});

test.each<[Release, string, boolean]>([
  ["1.16", "system:controller:endpointslice-controller", false],
  ["1.17", "system:controller:endpointslice-controller", true],
  ["1.29", "system:controller:validatingadmissionpolicy-status-controller", false],
  ["1.30", "system:controller:validatingadmissionpolicy-status-controller", true],
  ["1.32", "system:controller:service-cidrs-controller", false],
  ["1.33", "system:controller:service-cidrs-controller", true],
  ["1.33", "system:controller:resource-claim-controller", false],
  ["1.36", "system:controller:resource-claim-controller", true],
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
