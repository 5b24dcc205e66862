import { readFileSync } from "node:fs";

/**
 * @typedef {{ manager: string, time?: string }} ManagedFieldsEntry
 * @typedef {{ name: string, uid?: string, resourceVersion?: string, creationTimestamp?: string | null,
 *   managedFields?: ManagedFieldsEntry[] }} Metadata
 * @typedef {{ metadata: Metadata }} Recorded
 * @typedef {{ name: string, namespace?: string, labels: Record<string, string>, annotations: object,
 *   rules?: object[] | null, subjects?: { name: string }[] }} Policy
 * @typedef {{ since?: string | undefined, until?: string | undefined }} Window
 * @typedef {{ since: Record<string, string>, until: Record<string, string>,
 *   rules: Record<string, (Window & { rule: object })[]>, subjects: Record<string, Record<string, string>>,
 *   clusterRoles: Policy[], clusterRoleBindings: Policy[] }} Releases
 */

const rbac = "rbac.authorization.k8s.io/v1";

/** The kinds of the policy, in the order in which the server writes them. */
const policyKinds = [
  ["clusterRoles", "clusterroles"],
  ["clusterRoleBindings", "clusterrolebindings"],
  ["roles", "roles"],
  ["roleBindings", "rolebindings"],
];

/** A server computes health for each response and does not store it. */
const computed = "v1/componentstatuses";

/** @param {Record<string, Recorded[]>} recorded */
function recordedObjects(recorded) {
  const revision = (/** @type {Recorded} */ { metadata }) => Number(metadata.resourceVersion);
  return Object.entries(recorded)
    .filter(([path]) => !path.startsWith("_") && path !== computed)
    .flatMap(([path, objects]) => objects.map((object) => ({ path, object })))
    .toSorted((a, b) => revision(a.object) - revision(b.object))
    .map(({ path, object }) => [path, withoutServerFields(object)]);
}

/** @param {Recorded} recorded */
function withoutServerFields({ metadata, ...rest }) {
  const { uid: _, resourceVersion: __, creationTimestamp: ___, managedFields, ...kept } = metadata;
  const entries = managedFields?.map(({ time: _, ...entry }) => entry);
  return { metadata: { ...kept, ...(entries !== undefined && { managedFields: entries }) }, ...rest };
}

/**
 * @param {Record<string, Policy[]> & { gated: Record<string, Policy[]> }} policy
 * @param {Releases} releases
 */
function policyObjects(policy, releases) {
  return policyKinds.flatMap(([key = "", resource]) => {
    const recorded = policy[key] ?? [];
    const known = new Set(recorded.map(({ name }) => name));
    const later = (policy.gated[key] ?? []).filter(({ name }) => name in releases.since && !known.has(name));
    const others = (releases[/** @type {"clusterRoles"} */ (key)] ?? []).map((other) => ({
      ...asCreated,
      ...other,
    }));
    return [...recorded, ...later, ...others].map(({ name, namespace, labels, annotations, ...rest }) => {
      const object = {
        metadata: { name, namespace, labels, annotations },
        ...rest,
        ...changes(key, name, namespace),
      };
      const window = { since: releases.since[name], until: releases.until[name] };
      const isWindowed = namespace === undefined && (window.since ?? window.until) !== undefined;
      return [`${rbac}/${resource}`, object, ...(isWindowed ? [window] : [])];
    });
  });

  /** @param {string} key @param {string} name @param {string | undefined} namespace */
  function changes(key, name, namespace) {
    const full = namespace === undefined ? name : `${namespace}/${name}`;
    const rules = key.endsWith("Bindings") ? undefined : releases.rules[full];
    const subjects = key.endsWith("Bindings") ? releases.subjects[full] : undefined;
    const recorded =
      policy[key]?.find((one) => one.name === name && one.namespace === namespace)?.subjects ?? [];
    return {
      ...(rules && { rules: rules.map(({ rule, ...window }) => windowed(rule, window)) }),
      ...(subjects && {
        subjects: recorded.map((subject) => windowed(subject, { since: subjects[subject.name] })),
      }),
    };
  }
}

/** The labels and annotations of all default objects. */
const asCreated = {
  labels: { "kubernetes.io/bootstrapping": "rbac-defaults" },
  annotations: { "rbac.authorization.kubernetes.io/autoupdate": "true" },
};

/**
 * An element of a list that not every release has is `{ since, until, item }`.
 * @param {object} item
 * @param {Window} window
 */
function windowed(item, { since, until }) {
  return since === undefined && until === undefined ? item : { since, until, item };
}

/**
 * The objects that a server creates at startup, as [path of the resource, object], in the order of creation. A third member is
 * the window of releases with the object, if not all have it. Elements of its rules and subjects can have windows, too.
 * They come from three records: fresh-cluster.json, without the fields that differ between clusters, then the RBAC policy of
 * 1.32 in rbac-defaults.json, and what differs in other releases in rbac-releases.json.
 * @param {string} directory
 */
export function packBootstrapObjects(directory) {
  const read = (/** @type {string} */ name) => JSON.parse(readFileSync(`${directory}/${name}`, "utf8"));
  const objects = [
    ...recordedObjects(read("fresh-cluster.json")),
    ...policyObjects(read("rbac-defaults.json"), read("rbac-releases.json")),
  ];
  return JSON.stringify(objects);
}
