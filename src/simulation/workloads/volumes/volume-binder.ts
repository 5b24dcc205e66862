import { objectAt, textAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { Controller, ObjectChange } from "../../../controllers/contract/controller.ts";
import { KeySet } from "../../contract/key-set.ts";
import { claims, storageClasses, volumes } from "../contract/core-resources.ts";
import { isOfKind, keyOf } from "../contract/object-key.ts";
import type { WorkloadEnvironment } from "../environment/workload-environment.ts";
import { ClaimSync } from "./claim-sync.ts";
import { provisionedName } from "./provisioner.ts";
import { VolumeSync } from "./volume-sync.ts";
import { bindCompleted, VolumeWriter } from "./volume-writer.ts";

/** Binds claims to volumes, which it provisions if their class has a provisioner. Upstream: pkg/controller/volume/persistentvolume. */
export function volumeBinder(environment: WorkloadEnvironment): Controller {
  const { memory, client } = environment;
  const known: UnboundObjects = {
    claims: memory.part("workloads/unbound-claims", () => new KeySet()),
    volumes: memory.part("workloads/unbound-volumes", () => new KeySet()),
  };
  const writer = new VolumeWriter(client);
  const recorder = environment.recorderOf("persistentvolume-controller");
  const claimSync = new ClaimSync(environment, writer, recorder, known.volumes);
  const volumeSync = new VolumeSync(environment, writer, recorder);
  return {
    name: "persistentvolume-binder-controller",
    kinds: ["PersistentVolumeClaim", "PersistentVolume", "StorageClass"],
    observe: (change) => {
      const { object, type } = change;
      if (isOfKind(object, claims)) return observeClaim(change, known);
      if (isOfKind(object, volumes)) return observeVolume(change, known);
      return type === "put" && isOfKind(object, storageClasses) ? known.claims.keys() : [];
    },
    // The names of volumes have no slash.
    reconcile: (key) => (key.includes("/") ? claimSync.reconcile(key) : volumeSync.reconcile(key)),
  };
}

interface UnboundObjects {
  readonly claims: KeySet;
  readonly volumes: KeySet;
}

function observeClaim({ type, object: claim }: ObjectChange, known: UnboundObjects): readonly string[] {
  const key = keyOf(claim);
  const isUnbound = type === "put" && claim.metadata.annotations?.[bindCompleted] === undefined;
  if (isUnbound) known.claims.add(key);
  else known.claims.delete(key);
  const volume = textAt(claim, "spec", "volumeName");
  if (type === "put" && !isUnbound) known.volumes.delete(volume);
  if (type === "put") return volume === "" ? [key] : [key, volume];
  // A volume may have been provisioned meanwhile.
  return [volume === "" ? provisionedName(claim) : volume];
}

/** A volume that becomes available may be what any unbound claim waits for. One is not bound before its claim is, which is written later. */
function observeVolume({ type, object: volume }: ObjectChange, known: UnboundObjects): readonly string[] {
  const { name = "" } = volume.metadata;
  const reference = claimKey(volume);
  const isAvailable = /^(|Pending|Available)$/.test(textAt(volume, "status", "phase"));
  const waits = reference !== undefined && known.claims.has(reference);
  const isUnbound = type === "put" && (isAvailable || waits);
  if (isUnbound) known.volumes.add(name);
  else known.volumes.delete(name);
  const self = type === "put" ? [name] : [];
  if (reference !== undefined) return [...self, reference];
  return isUnbound ? [...self, ...known.claims.keys()] : self;
}

function claimKey(volume: KubeObject): string | undefined {
  const reference = objectAt(volume, "spec", "claimRef");
  return reference && `${textAt(reference, "namespace")}/${textAt(reference, "name")}`;
}
