import { structAt, textAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { parseQuantity, type Quantity } from "../../../apimachinery/quantity.ts";
import type { QuotaEvaluator, ScopeRequirement } from "../../../registry/contract/quota-evaluator.ts";
import { amountsOf } from "../../quantities/resource-amounts.ts";
import { storageClassName } from "../persistent-volume/storage-class-name.ts";
import { selectsClass } from "../resource-quota/scope-requirement.ts";

const claimResources =
  /^(requests\.storage|.+\.storageclass\.storage\.k8s\.io\/(requests\.storage|persistentvolumeclaims))$/;

/** What quotas count of claims for volumes. Upstream: pkg/quota/v1/evaluator/core/persistent_volume_claims.go. */
export const persistentVolumeClaimQuota: QuotaEvaluator = {
  objectCountName: "persistentvolumeclaims",
  chargesUpdateOf: "",
  matches: (name) => claimResources.test(name),
  usage: claimUsage,
  matchesScope: matchesClaimScope,
};

const one = parseQuantity("1");

function claimUsage(claim: KubeObject): ReadonlyMap<string, Quantity> {
  const usage = new Map<string, Quantity>();
  const storage = amountsOf(structAt(claim, "spec"), "requests").get("storage");
  const className = storageClassName(claim);
  const prefix = `${className}.storageclass.storage.k8s.io/`;
  if (className !== "") usage.set(`${prefix}persistentvolumeclaims`, one);
  if (storage === undefined) return usage;
  usage.set("requests.storage", storage);
  if (className !== "") usage.set(`${prefix}requests.storage`, storage);
  return usage;
}

function matchesClaimScope(claim: KubeObject, requirement: ScopeRequirement): boolean {
  if (requirement.scope !== "VolumeAttributesClass") return false;
  return attributesClassesOf(claim).some((name) => selectsClass(requirement, name));
}

/** The attributes classes that a claim requests, has, or is being changed to; an empty name if there is none. */
function attributesClassesOf(claim: KubeObject): readonly string[] {
  const names = [
    textAt(claim, "spec", "volumeAttributesClassName"),
    textAt(claim, "status", "currentVolumeAttributesClassName"),
    textAt(claim, "status", "modifyVolumeStatus", "targetVolumeAttributesClassName"),
  ].filter((name) => name !== "");
  return names.length === 0 ? [""] : names;
}
