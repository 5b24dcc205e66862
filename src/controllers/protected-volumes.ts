import { structAt, textAt } from "../apimachinery/fields.ts";
import type { GroupResource } from "../apimachinery/group-version.ts";
import type { Lister } from "../apimachinery/lister.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import { namedClaim, ownClaim, volumesOf } from "./claims-of-pod.ts";
import type { Controller, ControllerClient } from "./contract/controller.ts";

const claims: GroupResource = { group: "", resource: "persistentvolumeclaims" };
const volumes: GroupResource = { group: "", resource: "persistentvolumes" };
const pods: GroupResource = { group: "", resource: "pods" };
const attributesClasses: GroupResource = { group: "storage.k8s.io", resource: "volumeattributesclasses" };

/** Protects a claim while a pod uses it. */
export function protectClaim(lister: Lister, client: ControllerClient): Controller["reconcile"] {
  return async (key) => {
    const [namespace = "", name = ""] = key.split("/");
    const claim = lister.get(claims, namespace, name);
    if (claim === undefined) return;
    const isUsed = () => lister.list(pods, namespace).some((pod) => usesClaim(pod, claim));
    await protect(claim, "kubernetes.io/pvc-protection", isUsed, client);
  };
}

/** Protects a volume while it is bound. */
export function protectVolume(lister: Lister, client: ControllerClient): Controller["reconcile"] {
  return async (name) => {
    const volume = lister.get(volumes, "", name);
    if (volume === undefined) return;
    const isUsed = () => textAt(structAt(volume, "status"), "phase") === "Bound";
    await protect(volume, "kubernetes.io/pv-protection", isUsed, client);
  };
}

/** Protects a VolumeAttributesClass while a claim or a volume refers to it. Upstream: pkg/controller/volume/vacprotection. */
export function protectClass(lister: Lister, client: ControllerClient): Controller["reconcile"] {
  return async (name) => {
    const found = lister.get(attributesClasses, "", name);
    if (found === undefined) return;
    const isUsed = () =>
      lister.list(volumes, "").some((volume) => className(volume) === name) ||
      lister.list(claims, "").some((claim) => classNamesOfClaim(claim).includes(name));
    await protect(found, "kubernetes.io/vac-protection", isUsed, client);
  };
}

/** The classes that a claim asks for, has, and is being given. */
function classNamesOfClaim(claim: KubeObject): readonly string[] {
  const status = structAt(claim, "status");
  return [
    className(claim),
    textAt(status, "currentVolumeAttributesClassName"),
    textAt(status, "modifyVolumeStatus", "targetVolumeAttributesClassName"),
  ];
}

function className(object: KubeObject): string {
  return textAt(structAt(object, "spec"), "volumeAttributesClassName");
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

function isOwner(pod: KubeObject, claim: KubeObject): boolean {
  const owners = claim.metadata.ownerReferences ?? [];
  return owners.some(({ uid, controller }) => controller === true && uid === pod.metadata.uid);
}

function isShutDown({ metadata }: KubeObject): boolean {
  return Boolean(metadata.deletionTimestamp) && metadata.deletionGracePeriodSeconds === 0;
}
