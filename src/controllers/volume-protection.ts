import type { Lister } from "../apimachinery/lister.ts";
import type { FeatureGates } from "../catalog/feature-gates.ts";
import { claimNames } from "./claims-of-pod.ts";
import type { Controller, ControllerClient } from "./contract/controller.ts";
import { nameOfPut, onDemand } from "./contract/on-demand.ts";

const attributesClasses = { group: "storage.k8s.io", resource: "volumeattributesclasses" };

/** Protects claims that pods use: a deleted claim is removed with the last of those pods. */
export function claimProtection(lister: Lister, client: ControllerClient): Controller {
  return onDemand(
    {
      name: "persistentvolumeclaim-protection-controller",
      kinds: ["PersistentVolumeClaim", "Pod"],
      observe: ({ type, object }) => {
        const { namespace = "", name = "" } = object.metadata;
        if (object.kind === "PersistentVolumeClaim" && type === "put") return [`${namespace}/${name}`];
        return object.kind === "Pod" ? claimNames(object).map((claim) => `${namespace}/${claim}`) : [];
      },
    },
    async () => (await import("./protected-volumes.ts")).protectClaim(lister, client),
  );
}

/** Protects volumes that are bound to a claim. */
export function volumeProtection(lister: Lister, client: ControllerClient): Controller {
  return onDemand(
    {
      name: "persistentvolume-protection-controller",
      kinds: ["PersistentVolume"],
      observe: nameOfPut,
    },
    async () => (await import("./protected-volumes.ts")).protectVolume(lister, client),
  );
}

/** Since 1.32, protects VolumeAttributesClasses to which claims or volumes refer. There are few of them, so each change concerns all. */
export function classProtection(lister: Lister, client: ControllerClient, gates: FeatureGates): Controller {
  const isOn = gates.since("1.32") && gates.isEnabled("VolumeAttributesClass");
  return onDemand(
    {
      name: "volumeattributesclass-protection-controller",
      kinds: ["VolumeAttributesClass", "PersistentVolumeClaim", "PersistentVolume"],
      observe: () =>
        isOn ? lister.list(attributesClasses, "").map(({ metadata }) => metadata.name ?? "") : [],
    },
    async () => (await import("./protected-volumes.ts")).protectClass(lister, client),
  );
}
