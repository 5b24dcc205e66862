import { objectAt, textAt, textsAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { Lister } from "../../../apimachinery/lister.ts";
import type { LabelSelector } from "../../../apimachinery/selectors/label-selector.ts";
import { labelSelectorFromObject } from "../../../apimachinery/selectors/label-selector-object.ts";
import type { PodInfo } from "../snapshot/pod-info.ts";

const namespaces = { group: "", resource: "namespaces" };

/** A term of affinity to other pods. */
export interface AffinityTerm {
  readonly topologyKey: string;
  /** The namespaces that it names; undefined if a selector chooses them. */
  readonly namespaces: readonly string[] | undefined;
  readonly matches: (pod: Pick<PodInfo, "namespace" | "labels">) => boolean;
}

/** A term of a pod. Without namespaces and a selector of them, it means the pod's own (pkg/scheduler/framework/types.go). */
export function affinityTerm(term: JsonObject, owner: PodInfo, lister: Lister): AffinityTerm {
  const selector = labelSelectorFromObject(term["labelSelector"]);
  const named = textsAt(term, "namespaces");
  const namespaceSelector = objectAt(term, "namespaceSelector");
  const own = named.length === 0 && namespaceSelector === undefined ? [owner.namespace] : named;
  const topologyKey = textAt(term, "topologyKey");
  if (namespaceSelector === undefined) {
    const matches: AffinityTerm["matches"] = ({ namespace, labels }) =>
      own.includes(namespace) && selector.matches(labels);
    return { topologyKey, namespaces: own, matches };
  }
  const inNamespace = namespaceTest(labelSelectorFromObject(namespaceSelector), lister);
  return {
    topologyKey,
    namespaces: undefined,
    matches: ({ namespace, labels }) =>
      (own.includes(namespace) || inNamespace(namespace)) && selector.matches(labels),
  };
}

function namespaceTest(selector: LabelSelector, lister: Lister): (namespace: string) => boolean {
  return (namespace) => selector.matches(lister.get(namespaces, "", namespace)?.metadata.labels ?? {});
}
