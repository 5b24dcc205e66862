import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";

/**
 * @typedef {{ manager: string, time?: string }} ManagedFieldsEntry
 * @typedef {{ name: string, uid?: string, resourceVersion?: string, creationTimestamp?: string | null,
 *   managedFields?: ManagedFieldsEntry[] }} Metadata
 * @typedef {{ metadata: Metadata }} Recorded
 * @typedef {{ name: string, namespace?: string, labels: Record<string, string>, annotations: object,
 *   rules?: Rule[] | null, subjects?: { name: string }[] }} Policy
 * @typedef {{ verbs: string[], apiGroups?: string[], resources?: string[], resourceNames?: string[],
 *   nonResourceURLs?: string[] }} Rule
 * @typedef {{ since?: string | undefined, until?: string | undefined }} Window
 * @typedef {{ since: Record<string, string>, until: Record<string, string>,
 *   rules: Record<string, (Window & { rule: Rule })[]>, subjects: Record<string, Record<string, string>>,
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
      return own.length === 0 ? entry : [...entry, own];
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
      const full = namespace === undefined ? name : `${namespace}/${name}`;
      const isBinding = key.endsWith("Bindings");
      const rules = isBinding ? undefined : (releases.rules[full] ?? rest.rules?.map((rule) => ({ rule })));
      const subjects = releases.subjects[full];
      // In the order in which Go prints them. A role without rules has none of its own until a controller adds them.
      const object = {
        metadata: { name, namespace, ...(!isAsCreated({ labels, annotations }) && { labels, annotations }) },
        ...(!isBinding && {
          rules: rules?.map(({ rule, ...window }) => windowed(ruleText(rule), window)) ?? null,
        }),
        ...(rest.subjects && {
          subjects: rest.subjects.map((one) => windowed(one, { since: subjects?.[one.name] })),
        }),
        ...withoutLists(rest),
      };
      const window = { since: releases.since[name], until: releases.until[name] };
      const isWindowed = namespace === undefined && (window.since ?? window.until) !== undefined;
      return [`${rbac}/${resource}`, object, ...(isWindowed ? [[window]] : [])];
    });
  });
}

/** @param {Omit<Policy, "name" | "labels" | "annotations">} content */
function withoutLists({ rules: _, subjects: __, ...others }) {
  return others;
}

/**
 * A rule as text: its verbs, API groups, resources, names and paths, each separated by spaces.
 * @param {Rule} rule
 */
function ruleText({ verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] }) {
  const lists = [verbs, apiGroups, resources, resourceNames, nonResourceURLs];
  if (/[ |]/.test(lists.flat().join(""))) throw new Error("a value of a rule has a separator");
  return lists
    .map((list) => list.join(" "))
    .join("|")
    .replace(/\|+$/, "");
}

/** The labels and annotations of all default objects. */
const asCreated = {
  labels: { "kubernetes.io/bootstrapping": "rbac-defaults" },
  annotations: { "rbac.authorization.kubernetes.io/autoupdate": "true" },
};

/**
 * The text leaves them out, and src/cluster/recorded-objects.ts adds them.
 * @param {Pick<Policy, "labels" | "annotations">} object
 */
function isAsCreated({ labels, annotations }) {
  return isDeepStrictEqual({ labels, annotations }, asCreated);
}

/**
 * An element of a list that not every release has is `{ since, until, item }`.
 * @param {object | string} item
 * @param {Window} window
 */
function windowed(item, { since, until }) {
  return since === undefined && until === undefined ? item : { since, until, item };
}

/**
 * The objects that a server creates at startup, as [path of the resource, object], in the order of creation. A third member
 * says which releases have the object, and what others have of it. Elements of rules and subjects can have windows, too, and
 * rules are texts.
 * They come from four records: fresh-cluster.json, without the fields that differ between clusters, and
 * fresh-cluster-releases.json, then the RBAC policy of 1.32 in rbac-defaults.json, and what differs in other releases in
 * rbac-releases.json.
 * @param {string} directory
 */
export function packBootstrapObjects(directory) {
  const read = (/** @type {string} */ name) => JSON.parse(readFileSync(`${directory}/${name}`, "utf8"));
  const objects = [
    ...recordedObjects(read("fresh-cluster.json"), read("fresh-cluster-releases.json")),
    ...policyObjects(read("rbac-defaults.json"), read("rbac-releases.json")),
  ];
  return JSON.stringify(objects);
}
