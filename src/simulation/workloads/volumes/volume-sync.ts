import { isNotFound } from "../../../apimachinery/errors/error-predicates.ts";
import { objectAt, textAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import type { EventRecorder } from "../../events/event-recorder.ts";
import { hasSameMode } from "../../placement/claim-matching.ts";
import { claims, volumes } from "../contract/core-resources.ts";
import { isTerminating } from "../contract/object-key.ts";
import type { WorkloadEnvironment } from "../environment/workload-environment.ts";
import { provisionedBy } from "./provisioner.ts";
import type { VolumeWriter } from "./volume-writer.ts";

/** One look at a volume. Upstream: `syncVolume` (pkg/controller/volume/persistentvolume/pv_controller.go). */
export class VolumeSync {
  readonly #environment: WorkloadEnvironment;
  readonly #writer: VolumeWriter;
  readonly #recorder: EventRecorder;

  constructor(environment: WorkloadEnvironment, writer: VolumeWriter, recorder: EventRecorder) {
    this.#environment = environment;
    this.#writer = writer;
    this.#recorder = recorder;
  }

  async reconcile(name: string): Promise<void> {
    const volume = this.#environment.lister.get(volumes, "", name);
    if (volume === undefined) return;
    const reference = objectAt(volume, "spec", "claimRef");
    const uid = textAt(reference ?? {}, "uid");
    if (reference === undefined || uid === "")
      return void (await this.#writer.setVolumePhase(volume, "Available"));
    const { namespace, name: claimName } = reference;
    const found = this.#environment.lister.get(claims, String(namespace), String(claimName));
    const claim = found?.metadata.uid === uid ? found : undefined;
    if (claim === undefined) return this.#release(volume);
    const bound = textAt(claim, "spec", "volumeName");
    // The look at the claim completes a binding that has only begun.
    if (bound === "") return hasSameMode(volume, claim) ? undefined : this.#sayOtherMode(volume, claim);
    if (bound === name) await this.#writer.setVolumePhase(volume, "Bound");
    else if (isDisposable(volume)) await this.#release(volume);
    else await this.#writer.unbind(volume);
  }

  async #sayOtherMode(volume: KubeObject, claim: KubeObject): Promise<void> {
    const say = (about: KubeObject, message: string) =>
      this.#recorder.record(about, { type: "Warning", reason: "VolumeMismatch", message });
    const why = "due to incompatible volumeMode.";
    const claimName = claim.metadata.name;
    await say(
      volume,
      `Cannot bind PersistentVolume to requested PersistentVolumeClaim "${claimName}" ${why}`,
    );
    const volumeName = volume.metadata.name;
    await say(
      claim,
      `Cannot bind PersistentVolume "${volumeName}" to requested PersistentVolumeClaim ${why}`,
    );
  }

  /** Does what the reclaim policy says about a volume without a claim. Upstream: `reclaimVolume`. */
  async #release(volume: KubeObject): Promise<void> {
    if (textAt(volume, "status", "phase") === "Failed") return;
    await this.#writer.setVolumePhase(volume, "Released");
    const policy = textAt(volume, "spec", "persistentVolumeReclaimPolicy");
    if (policy === "Delete") await this.#delete(volume);
    if (policy === "Recycle") await this.#recycle(volume);
  }

  /** The provisioner of a volume deletes it. Of the others, only some of type `hostPath` can be deleted. */
  async #delete(volume: KubeObject): Promise<void> {
    const { name = "", annotations = {} } = volume.metadata;
    const isProvisioned = annotations[provisionedBy] !== undefined;
    const problem = isProvisioned ? undefined : deletionProblem(volume, this.#environment.gates);
    if (problem !== undefined) return this.#fail(volume, "VolumeFailedDelete", problem);
    if (isTerminating(volume)) return;
    await this.#environment.client.delete("v1", "PersistentVolume", name).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
  }

  /** Only these types of volumes can be recycled. */
  async #recycle(volume: KubeObject): Promise<void> {
    const isRecyclable = ["hostPath", "nfs"].some((type) => objectAt(volume, "spec", type) !== undefined);
    if (!isRecyclable) {
      return this.#fail(volume, "VolumeFailedRecycle", "No recycler plugin found for the volume!");
    }
    await this.#recorder.record(volume, {
      type: "Normal",
      reason: "VolumeRecycled",
      message: "Volume recycled",
    });
    await this.#writer.unbind(volume);
  }

  async #fail(volume: KubeObject, reason: string, message: string): Promise<void> {
    if (await this.#writer.setVolumePhase(volume, "Failed", message))
      await this.#recorder.record(volume, { type: "Warning", reason, message });
  }
}

/** Whether a volume was made for one claim and goes with it. */
function isDisposable(volume: KubeObject): boolean {
  const { annotations = {} } = volume.metadata;
  const policy = textAt(volume, "spec", "persistentVolumeReclaimPolicy");
  return annotations[provisionedBy] !== undefined && policy === "Delete";
}

/**
 * Why kube-controller-manager does not delete a volume that no provisioner has made. Upstream: `findDeletablePlugin`
 * (pkg/controller/volume/persistentvolume/pv_controller.go) and `hostPathDeleter` (pkg/volume/hostpath/host_path.go).
 */
function deletionProblem(volume: KubeObject, { since }: FeatureGates): string | undefined {
  const isOf = (type: string) => objectAt(volume, "spec", type) !== undefined;
  if (isOf("hostPath")) {
    const path = textAt(volume, "spec", "hostPath", "path");
    if (/\/tmp\/.+/.test(path)) return undefined;
    return `host_path deleter only supports /tmp/.+ but received provided ${path}`;
  }
  const isKnown = isOf("nfs") || isOf("local") || (isOf("csi") && since("1.18"));
  const why = isKnown ? "no deletable volume plugin matched" : "no volume plugin matched";
  return `error getting deleter volume plugin for volume "${volume.metadata.name}": ${why}`;
}
