import type { Lister } from "../apimachinery/lister.ts";
import { claimNames } from "./claims-of-pod.ts";
import type { Controller, ControllerClient } from "./contract/controller.ts";
import { nameOfPut, onDemand } from "./contract/on-demand.ts";

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
