import { defaultStorageClassName } from "../../../admission/plugins/default-storage-class.ts";
import { objectAt, textAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { KeySet } from "../../contract/key-set.ts";
import { playsClaims } from "../../contract/played-stages.ts";
import type { EventRecorder } from "../../events/event-recorder.ts";
import { bestVolume, classOf, mismatch, namesClass } from "../../placement/claim-matching.ts";
import { boundByController, claimsOf, isReservedFor, selectedNode } from "../../placement/volume-binding.ts";
import { claims, pods, storageClasses, volumes } from "../contract/core-resources.ts";
import { isTerminating, namesOf } from "../contract/object-key.ts";
import type { WorkloadEnvironment } from "../environment/workload-environment.ts";
import { isActive } from "../pods/pod-state.ts";
import { provision } from "./provisioner.ts";
import { bindCompleted, type VolumeWriter } from "./volume-writer.ts";

/** One look at a claim. Upstream: `syncClaim` (pkg/controller/volume/persistentvolume/pv_controller.go). */
export class ClaimSync {
  readonly #environment: WorkloadEnvironment;
  readonly #writer: VolumeWriter;
  readonly #recorder: EventRecorder;
  /** The names of the volumes that are not bound. */
  readonly #unbound: KeySet;

  constructor(
    environment: WorkloadEnvironment,
    writer: VolumeWriter,
    recorder: EventRecorder,
    unbound: KeySet,
  ) {
    this.#environment = environment;
    this.#writer = writer;
    this.#recorder = recorder;
    this.#unbound = unbound;
  }

  async reconcile(key: string): Promise<void> {
    const { namespace, name } = namesOf(key);
    const claim = this.#environment.lister.get(claims, namespace, name);
    if (claim === undefined) return;
    if (claim.metadata.annotations?.[bindCompleted] !== undefined) return this.#followBound(claim);
    if (textAt(claim, "spec", "volumeName") !== "") return this.#bindNamed(claim);
    if (!isTerminating(claim)) await this.#find(claim);
  }

  /** Upstream: `syncUnboundClaim`, for a claim that takes any volume. */
  async #find(claim: KubeObject): Promise<void> {
    const { lister } = this.#environment;
    const className = classOf(claim);
    const storageClass = className === "" ? undefined : lister.get(storageClasses, "", className);
    const isDelayed = textAt(storageClass ?? {}, "volumeBindingMode") === "WaitForFirstConsumer";
    const candidates = this.#unbound.keys().flatMap((name) => lister.get(volumes, "", name) ?? []);
    // The scheduler reserves volumes for claims that wait for their pod.
    const volume = bestVolume(claim, candidates, isDelayed ? "reserved" : "any", undefined);
    if (volume !== undefined) return this.#writer.bind(volume, claim);
    if (await this.#setDefaultClass(claim)) return;
    const hasNode = claim.metadata.annotations?.[selectedNode] !== undefined;
    if (isDelayed && !hasNode) await this.#sayWhatItWaitsFor(claim);
    else if (className !== "") await this.#provision(claim, className, storageClass);
    else {
      const message = "no persistent volumes available for this claim and no storage class is set";
      await this.#say(claim, "Normal", "FailedBinding", message);
    }
    await this.#writer.setClaimPhase(claim, "Pending");
  }

  /** A claim from before there was a default class gets it. Returns whether it did. Upstream: `assignDefaultStorageClass`. */
  async #setDefaultClass(claim: KubeObject): Promise<boolean> {
    const { lister, gates } = this.#environment;
    if (!gates.isEnabled("RetroactiveDefaultStorageClass") || namesClass(claim)) return false;
    const storageClassName = defaultStorageClassName(lister);
    if (storageClassName === undefined) return false;
    await this.#writer.setClass(claim, storageClassName);
    return true;
  }

  /** Upstream: `emitEventForUnboundDelayBindingClaim`. */
  async #sayWhatItWaitsFor(claim: KubeObject): Promise<void> {
    const { name = "", namespace = "" } = claim.metadata;
    const consumers = this.#environment.lister
      .list(pods, namespace)
      .filter((pod) => textAt(pod, "spec", "nodeName") === "" && isActive(pod))
      .filter((pod) => claimsOf(pod).includes(name))
      .map(({ metadata }) => metadata.name);
    const waitsFor = `${consumers.length > 1 ? "pods" : "pod"} ${consumers.join()}`;
    if (consumers.length > 0)
      return this.#say(claim, "Normal", "WaitForPodScheduled", `waiting for ${waitsFor} to be scheduled`);
    const message = "waiting for first consumer to be created before binding";
    return this.#say(claim, "Normal", "WaitForFirstConsumer", message);
  }

  /** Asks the provisioner of the class for a volume, and plays it. Upstream: `provisionClaim`. */
  async #provision(
    claim: KubeObject,
    className: string,
    storageClass: KubeObject | undefined,
  ): Promise<void> {
    const fail = (message: string) => this.#say(claim, "Warning", "ProvisioningFailed", message);
    if (storageClass === undefined) return fail(`storageclass.storage.k8s.io "${className}" not found`);
    const provisioner = textAt(storageClass, "provisioner");
    if (provisioner === "kubernetes.io/no-provisioner")
      return fail(`no volume plugin matched name: ${provisioner}`);
    const { gates } = this.#environment;
    const annotated = await this.#writer.annotateClaim(claim, {
      "volume.beta.kubernetes.io/storage-provisioner": provisioner,
      ...(gates.since("1.23") && { "volume.kubernetes.io/storage-provisioner": provisioner }),
    });
    const message = gates.since("1.28")
      ? `Waiting for a volume to be created either by the external provisioner '${provisioner}' or manually by the system administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.`
      : `waiting for a volume to be created, either by external provisioner "${provisioner}" or manually created by system administrator`;
    await this.#say(annotated, "Normal", "ExternalProvisioning", message);
    if (playsClaims(this.#environment.stages)) return;
    await provision(this.#environment, annotated, storageClass);
  }

  /** Upstream: `syncUnboundClaim`, for a claim that names its volume. */
  async #bindNamed(claim: KubeObject): Promise<void> {
    const volume = this.#volumeOf(claim);
    if (volume === undefined) return void (await this.#writer.setClaimPhase(claim, "Pending"));
    const { name = "" } = volume.metadata;
    if (objectAt(volume, "spec", "claimRef") === undefined) {
      const problem = mismatch(volume, claim);
      if (problem === undefined) return this.#writer.bind(volume, claim);
      const message = `Cannot bind to requested volume "${name}": ${problem}`;
      await this.#say(claim, "Warning", "VolumeMismatch", message);
    } else if (isReservedFor(volume, claim)) return this.#writer.bind(volume, claim);
    else {
      const message = `volume "${name}" already bound to a different claim.`;
      await this.#say(claim, "Warning", "FailedBinding", message);
      if (claim.metadata.annotations?.[boundByController] !== undefined) return;
    }
    await this.#writer.setClaimPhase(claim, "Pending");
  }

  /** Upstream: `syncBoundClaim`. */
  async #followBound(claim: KubeObject): Promise<void> {
    if (textAt(claim, "spec", "volumeName") === "") {
      const message = "Bound claim has lost reference to PersistentVolume. Data on the volume is lost!";
      return this.#lose(claim, "ClaimLost", message);
    }
    const volume = this.#volumeOf(claim);
    if (volume === undefined) {
      const message = "Bound claim has lost its PersistentVolume. Data on the volume is lost!";
      return this.#lose(claim, "ClaimLost", message);
    }
    const reference = objectAt(volume, "spec", "claimRef");
    if (reference === undefined || reference["uid"] === claim.metadata.uid)
      return this.#writer.bind(volume, claim);
    const message = "Two claims are bound to the same volume, this one is bound incorrectly";
    return this.#lose(claim, "ClaimMisbound", message);
  }

  async #lose(claim: KubeObject, reason: string, message: string): Promise<void> {
    if (await this.#writer.setClaimPhase(claim, "Lost")) await this.#say(claim, "Warning", reason, message);
  }

  #volumeOf(claim: KubeObject): KubeObject | undefined {
    return this.#environment.lister.get(volumes, "", textAt(claim, "spec", "volumeName"));
  }

  #say(claim: KubeObject, type: "Normal" | "Warning", reason: string, message: string): Promise<void> {
    return this.#recorder.record(claim, { type, reason, message });
  }
}
