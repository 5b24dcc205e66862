import { structAt, textAt } from "../../../apimachinery/fields.ts";
import { type JsonObject, jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { ControllerClient } from "../../../controllers/contract/controller.ts";
import { bindingPatch, boundByController } from "../../placement/volume-binding.ts";

export const bindCompleted = "pv.kubernetes.io/bind-completed";

type VolumePhase = "Available" | "Bound" | "Released" | "Failed";

/** Writes the four states of a binding. Upstream: pkg/controller/volume/persistentvolume/pv_controller.go. */
export class VolumeWriter {
  readonly #client: ControllerClient;

  constructor(client: ControllerClient) {
    this.#client = client;
  }

  /** Binds a volume and a claim to each other: first the volume, then the claim. Upstream: `bind`. */
  async bind(volume: KubeObject, claim: KubeObject): Promise<void> {
    const bound = await this.#bindVolume(volume, claim);
    await this.setVolumePhase(bound, "Bound");
    await this.#completeClaim(await this.#bindClaim(claim, volume), volume);
  }

  /** Returns whether the phase was another one. */
  async setVolumePhase(volume: KubeObject, phase: VolumePhase, message = ""): Promise<boolean> {
    if (textAt(volume, "status", "phase") === phase) return false;
    const status = { phase, message: message === "" ? null : message };
    const target = { subresource: "status" };
    await this.#client.patch("v1", "PersistentVolume", volume.metadata.name ?? "", { status }, target);
    return true;
  }

  /** Sets the phase of a claim without a volume. Returns whether it was another one. */
  async setClaimPhase(claim: KubeObject, phase: "Pending" | "Lost"): Promise<boolean> {
    const isOther = textAt(claim, "status", "phase") !== phase;
    const { accessModes, capacity, currentVolumeAttributesClassName: current } = structAt(claim, "status");
    if (!isOther && [accessModes, capacity, current].every((one) => one === undefined)) return false;
    const nothing = { accessModes: null, capacity: null, currentVolumeAttributesClassName: null };
    await this.#patchClaim(claim, { status: { phase, ...nothing } }, "status");
    return isOther;
  }

  async annotateClaim(
    claim: KubeObject,
    annotations: { readonly [key: string]: string },
  ): Promise<KubeObject> {
    return this.#patchClaim(claim, { metadata: { annotations } });
  }

  async setClass(claim: KubeObject, storageClassName: string): Promise<void> {
    await this.#patchClaim(claim, { spec: { storageClassName } });
  }

  /** Frees a volume. One that was reserved by its creator stays so. Upstream: `unbindVolume`. */
  async unbind(volume: KubeObject): Promise<void> {
    const isOurs = volume.metadata.annotations?.[boundByController] !== undefined;
    const patch = isOurs
      ? { metadata: { annotations: { [boundByController]: null } }, spec: { claimRef: null } }
      : { spec: { claimRef: { uid: null, resourceVersion: null } } };
    const name = volume.metadata.name ?? "";
    const free = await this.#client.patch("v1", "PersistentVolume", name, patch);
    await this.setVolumePhase(free, "Available");
  }

  async #bindVolume(volume: KubeObject, claim: KubeObject): Promise<KubeObject> {
    const patch = bindingPatch(volume, claim);
    if (patch === undefined) return volume;
    return this.#client.patch("v1", "PersistentVolume", volume.metadata.name ?? "", patch);
  }

  async #bindClaim(claim: KubeObject, volume: KubeObject): Promise<KubeObject> {
    const { name = "" } = volume.metadata;
    const isNamed = textAt(claim, "spec", "volumeName") === name;
    if (isNamed && claim.metadata.annotations?.[bindCompleted] !== undefined) return claim;
    const annotations = { [bindCompleted]: "yes", ...(!isNamed && { [boundByController]: "yes" }) };
    return this.#patchClaim(claim, { metadata: { annotations }, spec: { volumeName: name } });
  }

  async #completeClaim(claim: KubeObject, volume: KubeObject): Promise<void> {
    const { accessModes = null, capacity = null, volumeAttributesClassName } = structAt(volume, "spec");
    const isBound = textAt(claim, "status", "phase") === "Bound";
    const former = structAt(claim, "status")["accessModes"] ?? null;
    if (isBound && jsonEqual(former, accessModes)) return;
    const currentVolumeAttributesClassName = volumeAttributesClassName ?? null;
    const taken = isBound ? {} : { capacity, currentVolumeAttributesClassName };
    const status = { phase: "Bound", accessModes, ...taken };
    await this.#patchClaim(claim, { status }, "status");
  }

  #patchClaim(
    { metadata: { name = "", namespace = "" } }: KubeObject,
    patch: JsonObject,
    subresource?: "status",
  ): Promise<KubeObject> {
    const target = { namespace, ...(subresource !== undefined && { subresource }) };
    return this.#client.patch("v1", "PersistentVolumeClaim", name, patch, target);
  }
}
