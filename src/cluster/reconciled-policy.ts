import { listAt, structAt } from "../apimachinery/fields.ts";
import { type JsonObject, jsonEqual } from "../apimachinery/json.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import { policyRuleObject, policyRulesOf } from "../authorization/contract/policy-rule.ts";
import { uncoveredRules } from "../authorization/rbac/rule-coverage.ts";
import type { StoredObjects } from "../registry/stored-objects.ts";
import type { Seed } from "./bootstrap.ts";
import type { ClusterClient } from "./client.ts";

const group = "rbac.authorization.k8s.io";
const autoupdate = "rbac.authorization.kubernetes.io/autoupdate";

/**
 * Gives default roles and bindings back what initial objects have taken from them, as a server does at each start: rules,
 * subjects, selectors, labels and annotations. What they have in addition stays. Objects with the annotation
 * `rbac.authorization.kubernetes.io/autoupdate: "false"` stay as they are. Upstream: pkg/registry/rbac/rest/storage_rbac.go,
 * component-helpers, auth/rbac/reconciliation.
 */
export async function reconcilePolicy(
  seeds: readonly Seed[],
  objects: StoredObjects,
  client: Pick<ClusterClient, "update" | "delete" | "create">,
): Promise<void> {
  for (const seed of seeds) {
    if (seed.group !== group) continue;
    const { name = "", namespace = "" } = seed.object.metadata;
    const stored = objects.get(seed, namespace, name);
    if (stored === undefined || stored.metadata.annotations?.[autoupdate] === "false") continue;
    const wanted = reconciled(stored, seed.object);
    if (jsonEqual(wanted, stored)) continue;
    if (jsonEqual(structAt(wanted, "roleRef"), structAt(stored, "roleRef"))) await client.update(wanted);
    else await recreate(wanted, client);
  }
}

/** A binding cannot get another role. */
async function recreate(
  binding: KubeObject,
  client: Pick<ClusterClient, "delete" | "create">,
): Promise<void> {
  const { name = "", namespace, labels, annotations } = binding.metadata;
  const key = { name, ...(namespace !== undefined && { namespace }) };
  await client.delete(`${group}/v1`, String(binding.kind), name, {
    ...(namespace !== undefined && { namespace }),
  });
  await client.create({ ...binding, metadata: { ...key, labels, annotations } });
}

/** The stored object with what it lacks. */
function reconciled(stored: KubeObject, seed: KubeObject): KubeObject {
  const { labels, annotations } = seed.metadata;
  const metadata = {
    ...stored.metadata,
    labels: { ...labels, ...stored.metadata.labels },
    annotations: { ...annotations, ...stored.metadata.annotations },
  };
  return { ...stored, metadata, ...contentOf(stored, seed) };
}

function contentOf(stored: KubeObject, seed: KubeObject): JsonObject {
  if (String(seed.kind).endsWith("Binding")) {
    const subjects = united(stored, seed, ["subjects"]);
    return { roleRef: structAt(seed, "roleRef"), ...(subjects.length > 0 && { subjects }) };
  }
  if (seed["aggregationRule"] !== undefined) {
    const clusterRoleSelectors = united(stored, seed, ["aggregationRule", "clusterRoleSelectors"]);
    return { aggregationRule: { ...structAt(stored, "aggregationRule"), clusterRoleSelectors } };
  }
  const missing = uncoveredRules(policyRulesOf(stored), policyRulesOf(seed));
  if (missing.length === 0) return {};
  return { rules: [...listAt(stored, "rules"), ...missing.map((rule) => ({ ...policyRuleObject(rule) }))] };
}

/** The elements of a list of the stored object, and those that only the seed has. */
function united(stored: KubeObject, seed: KubeObject, path: readonly string[]): readonly JsonObject[] {
  const own = listAt(stored, ...path);
  const missing = listAt(seed, ...path).filter((wanted) => !own.some((each) => jsonEqual(each, wanted)));
  return [...own, ...missing];
}
