import { readFileSync } from "node:fs";

/**
 * @typedef {{ manager: string, time?: string }} ManagedFieldsEntry
 * @typedef {{ name: string, uid?: string, resourceVersion?: string, creationTimestamp?: string | null,
 *   managedFields?: ManagedFieldsEntry[] }} Metadata
 * @typedef {{ metadata: Metadata }} Recorded
 * @typedef {{ clusterRoleSelectors: { matchLabels: Record<string, string> }[] }} AggregationRule
 * @typedef {{ name: string, namespace?: string, labels: Record<string, string>, annotations: object,
 *   rules?: object[] | null, aggregationRule?: AggregationRule }} Policy
 */

const rbac = "rbac.authorization.k8s.io/v1";

/** The kinds of the policy, in the order in which the server writes them. */
const policyKinds = [
  ["clusterRoles", "clusterroles"],
  ["clusterRoleBindings", "clusterrolebindings"],
  ["roles", "roles"],
  ["roleBindings", "rolebindings"],
];

/** A server computes health for each response and does not store it. APIServices follow from the served versions. */
const computed = ["v1/componentstatuses", "apiregistration.k8s.io/v1/apiservices"];

/**
 * @param {Record<string, Recorded[]>} recorded
 * @param {Record<string, object>} histories
 */
function recordedObjects(recorded, histories) {
  const revision = (/** @type {Recorded} */ { metadata }) => Number(metadata.resourceVersion);
  return Object.entries(recorded)
    .filter(([path]) => !path.startsWith("_") && !computed.includes(path))
    .flatMap(([path, objects]) => objects.map((object) => ({ path, object })))
    .toSorted((a, b) => revision(a.object) - revision(b.object))
    .map(({ path, object }) => {
      const keys = [`${path}/*`, `${path}/${object.metadata.name}`];
      const own = keys.flatMap((key) => histories[key] ?? []);
      const entry = [path, withoutServerFields(object)];
      return own.length === 0 ? entry : [...entry, null, null, own];
    });
}

/** @param {Recorded} recorded */
function withoutServerFields({ metadata, ...rest }) {
  const { uid: _, resourceVersion: __, creationTimestamp: ___, managedFields, ...kept } = metadata;
  const entries = managedFields?.map(({ time: _, ...entry }) => entry);
  return { metadata: { ...kept, ...(entries !== undefined && { managedFields: entries }) }, ...rest };
}

/**
 * @param {Record<string, Policy[]> & { gated: Record<string, Policy[]> }} policy
 * @param {Record<string, string>} since
 */
function policyObjects(policy, since) {
  const aggregated = aggregatedRules(policy["clusterRoles"] ?? []);
  return policyKinds.flatMap(([key = "", resource]) => {
    const recorded = policy[key] ?? [];
    const known = new Set(recorded.map(({ name }) => name));
    const later = (policy.gated[key] ?? []).filter(({ name }) => name in since && !known.has(name));
    return [...recorded, ...later].map(({ name, namespace, labels, annotations, ...rest }) => {
      const rules = key === "clusterRoles" ? aggregated.get(name) : undefined;
      const release = namespace === undefined ? since[name] : undefined;
      return [
        `${rbac}/${resource}`,
        { metadata: { name, namespace, labels, annotations }, ...rest },
        ...(rules !== undefined || release !== undefined ? [rules === undefined ? null : { rules }] : []),
        ...(release !== undefined ? [release] : []),
      ];
    });
  });
}

/**
 * The rules of the roles that aggregate others, as the controller leaves them: by name, and each once. A role can select a
 * role that aggregates others, too.
 * @param {Policy[]} roles
 */
function aggregatedRules(roles) {
  /** @type {Map<string, object[]>} */
  const found = new Map();
  const sorted = roles.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  for (let isChanged = true; isChanged; ) {
    isChanged = false;
    for (const { name, aggregationRule } of sorted) {
      if (aggregationRule === undefined) continue;
      const rules = aggregationRule.clusterRoleSelectors.flatMap(({ matchLabels }) =>
        sorted
          .filter((role) => role.name !== name)
          .filter(({ labels }) => Object.entries(matchLabels).every(([key, value]) => labels[key] === value))
          .flatMap((role) => found.get(role.name) ?? role.rules ?? []),
      );
      const once = [...new Map(rules.map((rule) => [JSON.stringify(rule), rule])).values()];
      if (JSON.stringify(once) === JSON.stringify(found.get(name))) continue;
      found.set(name, once);
      isChanged = true;
    }
  }
  return found;
}

/**
 * The objects that a 1.32 server creates at startup, as [path of the resource, object], in the order of creation. A third
 * member has what controllers add to the object when they first run, or null; a fourth one is the first release with the object,
 * also of roles that only later releases have, and a fifth one what other releases have of the object.
 * They come from four records: fresh-cluster.json, without the fields that differ between clusters, and
 * fresh-cluster-releases.json, then the RBAC policy in rbac-defaults.json, and rbac-releases.json.
 * @param {string} directory
 */
export function packBootstrapObjects(directory) {
  const read = (/** @type {string} */ name) => JSON.parse(readFileSync(`${directory}/${name}`, "utf8"));
  const objects = [
    ...recordedObjects(read("fresh-cluster.json"), read("fresh-cluster-releases.json")),
    ...policyObjects(read("rbac-defaults.json"), read("rbac-releases.json").since),
  ];
  return JSON.stringify(objects);
}
