import type { GroupKind } from "../../../apimachinery/group-version.ts";
import { jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { ObjectChange } from "../../../controllers/contract/controller.ts";
import { isOfKind } from "../contract/object-key.ts";
import { controllerOf } from "./controller-reference.ts";
import type { SelectorIndex } from "./selector-index.ts";

/**
 * The keys of the objects of a kind that a change of one of their dependents concerns: its controller, its former controller, and, for an
 * orphan, those that could adopt it. Upstream: `addPod`, `updatePod` and `deletePod` of the workload controllers.
 */
export function affectedOwners(
  { type, object }: ObjectChange,
  former: KubeObject | undefined,
  kind: GroupKind,
  selectors: SelectorIndex,
): readonly string[] {
  const owner = controllerKey(object, kind);
  const formerOwner = former === undefined ? undefined : controllerKey(former, kind);
  const owners = [...new Set([formerOwner, owner])].filter((key) => key !== undefined);
  const isOrphan = controllerOf(object) === undefined;
  if (!isOrphan || type === "delete") return owners;
  const isChanged = former === undefined || !jsonEqual(former.metadata.labels, object.metadata.labels);
  return isChanged || formerOwner !== undefined ? [...owners, ...selectors.selecting(object)] : owners;
}

/** The key of the controller of an object if it is of this kind. */
export function controllerKey(object: KubeObject, kind: GroupKind): string | undefined {
  const reference = controllerOf(object);
  if (reference === undefined) return undefined;
  const { apiVersion, kind: ownerKind, name } = reference;
  const isOwner = isOfKind({ apiVersion, kind: ownerKind, metadata: {} }, kind);
  return isOwner ? `${object.metadata.namespace ?? ""}/${name}` : undefined;
}
