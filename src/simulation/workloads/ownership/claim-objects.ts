import { isNotFound } from "../../../apimachinery/errors/error-predicates.ts";
import { StatusError } from "../../../apimachinery/errors/errors.ts";
import type { GroupResource } from "../../../apimachinery/group-version.ts";
import type { Lister } from "../../../apimachinery/lister.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { ControllerClient } from "../../../controllers/contract/controller.ts";
import { isTerminating } from "../contract/object-key.ts";

import { controllerOf, controllerReference } from "./controller-reference.ts";

/** An owner that claims objects. */
export interface Claimant {
  readonly owner: KubeObject;
  readonly resource: GroupResource;
  readonly lister: Lister;
  readonly client: ControllerClient;
  /** Whether the owner wants an object. */
  readonly matches: (object: KubeObject) => boolean;
  /** The finalizers of an object that the owner adopts. */
  readonly finalizer?: string;
}

/**
 * The objects that belong to an owner: it adopts orphans that match, and releases its own objects that no longer match. Upstream:
 * `BaseControllerRefManager.ClaimObject` (pkg/controller/controller_ref_manager.go).
 */
export async function claimObjects(
  claimant: Claimant,
  candidates: readonly KubeObject[],
): Promise<readonly KubeObject[]> {
  const claimed: KubeObject[] = [];
  const { uid } = claimant.owner.metadata;
  for (const object of candidates) {
    // Most objects belong to the owner already; waiting for each of them would cost more than the rest.
    const isOwn = controllerOf(object)?.uid === uid && claimant.matches(object);
    const result = isOwn ? object : await claim(claimant, object);
    if (result !== undefined) claimed.push(result);
  }
  return claimed;
}

async function claim(claimant: Claimant, object: KubeObject): Promise<KubeObject | undefined> {
  const { owner, matches } = claimant;
  const reference = controllerOf(object);
  if (reference !== undefined) {
    if (reference.uid !== owner.metadata.uid) return undefined;
    if (!isTerminating(owner)) await release(claimant, object);
    return undefined;
  }
  if (isTerminating(owner) || !matches(object) || isTerminating(object)) return undefined;
  return adopt(claimant, object);
}

async function adopt(claimant: Claimant, object: KubeObject): Promise<KubeObject | undefined> {
  const { owner, resource, lister, client, finalizer } = claimant;
  const { namespace = "", name = "", uid = "" } = owner.metadata;
  const live = lister.get(resource, namespace, name);
  if (live?.metadata.uid !== uid || isTerminating(live)) throw new Error(`can't adopt: ${name} is going`);
  const { ownerReferences = [], finalizers = [] } = object.metadata;
  const change = {
    ownerReferences: [...ownerReferences, controllerReference(owner)],
    ...(finalizer !== undefined && { finalizers: [...finalizers, finalizer] }),
  };
  try {
    return await patchMetadata(client, object, change);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** A dependent that is gone, or was replaced by another one with its name, needs no release. */
async function release({ owner, client, finalizer }: Claimant, object: KubeObject): Promise<void> {
  const { ownerReferences = [], finalizers = [] } = object.metadata;
  const left = ownerReferences.filter(({ uid }) => uid !== owner.metadata.uid);
  const change = {
    ownerReferences: left.length > 0 ? left : null,
    ...(finalizer !== undefined && { finalizers: finalizers.filter((one) => one !== finalizer) }),
  };
  try {
    await patchMetadata(client, object, change);
  } catch (error) {
    const isIgnored = isNotFound(error) || (error instanceof StatusError && error.code === 422);
    if (!isIgnored) throw error;
  }
}

function patchMetadata(client: ControllerClient, object: KubeObject, change: object): Promise<KubeObject> {
  const { namespace = "", name = "", uid = "" } = object.metadata;
  const patch = { metadata: { uid, ...change } };
  return client.patch(object.apiVersion, object.kind, name, patch, { namespace });
}
