import { listAt, structAt, textAt } from "../apimachinery/fields.ts";
import type { GroupResource } from "../apimachinery/group-version.ts";
import type { JsonObject } from "../apimachinery/json.ts";
import type { Lister } from "../apimachinery/lister.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { Controller, ControllerClient, ObjectChange } from "./contract/controller.ts";

const claims: GroupResource = { group: "", resource: "persistentvolumeclaims" };
const volumes: GroupResource = { group: "", resource: "persistentvolumes" };
const pods: GroupResource = { group: "", resource: "pods" };

/** Protects claims that pods use: a deleted claim is removed with the last of those pods. */
export function claimProtection(lister: Lister, client: ControllerClient): Controller {
  return {
    name: "persistentvolumeclaim-protection-controller",
    kinds: ["PersistentVolumeClaim", "Pod"],
    observe: ({ type, object }) => {
      const { namespace = "", name = "" } = object.metadata;
      if (object.kind === "PersistentVolumeClaim" && type === "put") return [`${namespace}/${name}`];
      return object.kind === "Pod" ? claimNames(object).map((claim) => `${namespace}/${claim}`) : [];
    },
    reconcile: async (key) => {
      const [namespace = "", name = ""] = key.split("/");
      const claim = lister.get(claims, namespace, name);
      if (claim === undefined) return;
      const isUsed = () => lister.list(pods, namespace).some((pod) => usesClaim(pod, claim));
      await protect(claim, "kubernetes.io/pvc-protection", isUsed, client);
    },
  };
}

/** Protects volumes that are bound to a claim. */
export function volumeProtection(lister: Lister, client: ControllerClient): Controller {
  return {
    name: "persistentvolume-protection-controller",
    kinds: ["PersistentVolume"],
    observe: ({ type, object }: ObjectChange) =>
      object.kind === "PersistentVolume" && type === "put" ? [object.metadata.name ?? ""] : [],
    reconcile: async (name) => {
      const volume = lister.get(volumes, "", name);
      if (volume === undefined) return;
      const isUsed = () => textAt(structAt(volume, "status"), "phase") === "Bound";
      await protect(volume, "kubernetes.io/pv-protection", isUsed, client);
    },
  };
}

/** Adds the finalizer to an object, and removes it once the object is terminating and not in use. */
async function protect(
  object: KubeObject,
  finalizer: string,
  isUsed: () => boolean,
  client: ControllerClient,
): Promise<void> {
  const { finalizers = [], deletionTimestamp } = object.metadata;
  const has = finalizers.includes(finalizer);
  const isDeleted = deletionTimestamp !== undefined && deletionTimestamp !== null;
  if (isDeleted ? !has || isUsed() : has) return;
  const others = finalizers.filter((other) => other !== finalizer);
  const wanted = isDeleted ? others : [...others, finalizer];
  await client.update({ ...object, metadata: { ...object.metadata, finalizers: wanted } });
}

/** Only scheduled pods count: a kubelet does not start a pod whose claim is terminating. */
function usesClaim(pod: KubeObject, claim: KubeObject): boolean {
  const { name = "" } = claim.metadata;
  if (textAt(structAt(pod, "spec"), "nodeName") === "") return false;
  return volumesOf(pod).some(
    (volume) =>
      namedClaim(volume) === name ||
      (!isShutDown(pod) && ownClaim(pod, volume) === name && isOwner(pod, claim)),
  );
}

function claimNames(pod: KubeObject): readonly string[] {
  return volumesOf(pod).flatMap((volume) => namedClaim(volume) ?? ownClaim(pod, volume) ?? []);
}

function volumesOf(pod: KubeObject): readonly JsonObject[] {
  return listAt(structAt(pod, "spec"), "volumes");
}

function namedClaim(volume: JsonObject): string | undefined {
  return volume["persistentVolumeClaim"] === undefined
    ? undefined
    : textAt(volume, "persistentVolumeClaim", "claimName");
}

/** The claim for an ephemeral volume of a pod. */
function ownClaim(pod: KubeObject, volume: JsonObject): string | undefined {
  return volume["ephemeral"] === undefined ? undefined : `${pod.metadata.name}-${textAt(volume, "name")}`;
}

function isOwner(pod: KubeObject, claim: KubeObject): boolean {
  const owners = claim.metadata.ownerReferences ?? [];
  return owners.some(({ uid, controller }) => controller === true && uid === pod.metadata.uid);
}

function isShutDown({ metadata }: KubeObject): boolean {
  return Boolean(metadata.deletionTimestamp) && metadata.deletionGracePeriodSeconds === 0;
}
