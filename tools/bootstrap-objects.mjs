// Writes src/cluster/generated/bootstrap-objects.json: the objects that a server of 1.32 makes for itself when it starts,
// as [path of the resource, object], in the order in which it makes them. They come from two records beside it:
// fresh-cluster.json, whose objects lose what differs from cluster to cluster, and the policy in rbac-defaults.json.
// `bootstrapObjects(directory)` gives the text.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * @typedef {{ manager: string, time?: string }} ManagedFieldsEntry
 * @typedef {{ name: string, uid?: string, resourceVersion?: string, creationTimestamp?: string | null,
 *   managedFields?: ManagedFieldsEntry[] }} Metadata
 * @typedef {{ metadata: Metadata }} Recorded
 * @typedef {{ name: string, namespace?: string, labels: object, annotations: object }} Policy
 */

const rbac = "rbac.authorization.k8s.io/v1";

/** The kinds of the policy, in the order in which the server writes them. */
const policyKinds = [
  ["clusterRoles", "clusterroles"],
  ["clusterRoleBindings", "clusterrolebindings"],
  ["roles", "roles"],
  ["roleBindings", "rolebindings"],
];

/** Health is looked up for each answer; it is no object that anybody stores. */
const computed = "v1/componentstatuses";

/** @param {Record<string, Recorded[]>} recorded */
function recordedObjects(recorded) {
  const revision = (/** @type {Recorded} */ { metadata }) => Number(metadata.resourceVersion);
  return Object.entries(recorded)
    .filter(([path]) => !path.startsWith("_") && path !== computed)
    .flatMap(([path, objects]) => objects.map((object) => ({ path, object })))
    .toSorted((a, b) => revision(a.object) - revision(b.object))
    .map(({ path, object }) => [path, withoutCircumstances(object)]);
}

/** @param {Recorded} recorded */
function withoutCircumstances({ metadata, ...rest }) {
  const { uid: _, resourceVersion: __, creationTimestamp: ___, managedFields, ...kept } = metadata;
  const entries = managedFields?.map(({ time: _, ...entry }) => entry);
  return { metadata: { ...kept, ...(entries !== undefined && { managedFields: entries }) }, ...rest };
}

/** @param {Record<string, Policy[]>} policy */
function policyObjects(policy) {
  return policyKinds.flatMap(([key = "", resource]) =>
    (policy[key] ?? []).map(({ name, namespace, labels, annotations, ...rest }) => [
      `${rbac}/${resource}`,
      { metadata: { name, namespace, labels, annotations }, ...rest },
    ]),
  );
}

/**
 * The text of bootstrap-objects.json for the records in a directory.
 * @param {string} directory
 */
export function bootstrapObjects(directory) {
  const read = (/** @type {string} */ name) => JSON.parse(readFileSync(`${directory}/${name}`, "utf8"));
  const objects = [
    ...recordedObjects(read("fresh-cluster.json")),
    ...policyObjects(read("rbac-defaults.json")),
  ];
  return `[\n${objects.map((entry) => JSON.stringify(entry)).join(",\n")}\n]\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const directory = fileURLToPath(new URL("../src/cluster/generated", import.meta.url));
  writeFileSync(`${directory}/bootstrap-objects.json`, bootstrapObjects(directory));
}
