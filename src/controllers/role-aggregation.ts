import { listAt, objectAt } from "../apimachinery/fields.ts";
import { type JsonObject, jsonEqual } from "../apimachinery/json.ts";
import type { Lister } from "../apimachinery/lister.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { Since } from "../apimachinery/release.ts";
import { labelSelectorFromObject } from "../apimachinery/selectors/label-selector-object.ts";
import type { Controller, ControllerClient } from "./contract/controller.ts";

const clusterRoles = { group: "rbac.authorization.k8s.io", resource: "clusterroles" };
const fieldManager = "clusterrole-aggregation-controller";

/**
 * Gives each ClusterRole with an aggregation rule the rules of the roles that it selects.
 * `aggregating` has the names of these roles. Upstream: pkg/controller/clusterroleaggregation.
 */
export function roleAggregation(
  lister: Lister,
  client: ControllerClient,
  since: Since,
  aggregating: Set<string>,
): Controller {
  return {
    name: "clusterrole-aggregation-controller",
    kinds: ["ClusterRole"],
    observe: ({ type, object }) => {
      if (type === "put" && aggregates(object)) aggregating.add(nameOf(object));
      else aggregating.delete(nameOf(object));
      return aggregating;
    },
    reconcile: async (key) => {
      const role = lister.get(clusterRoles, "", key);
      if (role === undefined || !aggregates(role)) return;
      const rules = aggregatedRules(role, lister.list(clusterRoles, ""));
      if (jsonEqual([...rules], [...listAt(role, "rules")])) return;
      // Before server-side apply, the controller replaced the role.
      if (since("1.22")) await client.apply(appliedRules(key, rules), { fieldManager, force: true });
      else await client.update({ ...role, rules });
    },
  };
}

/** The rules of each role that aggregates others, by name, once the controller is idle: a role can select another such role. */
export function settledRules(roles: readonly KubeObject[]): ReadonlyMap<string, readonly JsonObject[]> {
  const settled = new Map<string, readonly JsonObject[]>();
  for (let isChanged = true; isChanged; ) {
    isChanged = false;
    const current = roles.map((role) => ({
      ...role,
      rules: settled.get(nameOf(role)) ?? role["rules"] ?? null,
    }));
    for (const role of current.filter(aggregates)) {
      const rules = aggregatedRules(role, current);
      if (jsonEqual([...rules], [...listAt(role, "rules")])) continue;
      settled.set(nameOf(role), rules);
      isChanged = true;
    }
  }
  return settled;
}

const nameOf = ({ metadata }: KubeObject): string => metadata.name ?? "";

function aggregates(role: KubeObject): boolean {
  return objectAt(role, "aggregationRule") !== undefined;
}

/** The rules of all selected roles, each once: selector by selector, and the roles of a selector by name. */
function aggregatedRules(role: KubeObject, roles: readonly KubeObject[]): readonly JsonObject[] {
  const others = roles.filter(({ metadata }) => metadata.name !== role.metadata.name);
  const rules = listAt(role, "aggregationRule", "clusterRoleSelectors").flatMap((selector) => {
    const { matches } = labelSelectorFromObject(selector);
    return others
      .filter(({ metadata }) => matches(metadata.labels ?? {}))
      .flatMap((selected) => listAt(selected, "rules"));
  });
  const once = new Map(rules.map((rule) => [JSON.stringify(rule), rule]));
  return [...once.values()];
}

function appliedRules(role: string, rules: readonly JsonObject[]): JsonObject {
  return {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRole",
    metadata: { name: role },
    rules,
  };
}
