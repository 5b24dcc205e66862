import { aggregateText } from "../../../apimachinery/errors/aggregate.ts";
import { isAlreadyExists, isNotFound } from "../../../apimachinery/errors/error-predicates.ts";
import { messageOf } from "../../../apimachinery/errors/message-of.ts";
import { structAt, textAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { EventRecorder } from "../../events/event-recorder.ts";
import { claims } from "../contract/core-resources.ts";
import { isTerminating } from "../contract/object-key.ts";
import type { WorkloadEnvironment } from "../environment/workload-environment.ts";
import type { PodManifest } from "../pods/pod-control.ts";

import { keepClaimOwners } from "./claim-retention.ts";
import {
  hasVolumesOf,
  identityLabels,
  podNameLabel,
  statefulClaims,
  volumesOf,
} from "./stateful-set-identity.ts";

/** Creates and deletes the pods of a set with their claims. Upstream: `StatefulPodControl` (pkg/controller/statefulset/stateful_pod_control.go). */
export class StatefulPodControl {
  readonly #environment: WorkloadEnvironment;
  readonly #recorder: EventRecorder;

  constructor(environment: WorkloadEnvironment) {
    this.#environment = environment;
    this.#recorder = environment.recorderOf("statefulset-controller");
  }

  /** @throws {StatusError} the refusal, after an Event about it */
  async create(set: KubeObject, manifest: PodManifest, ordinal: number): Promise<KubeObject> {
    const { namespace = "" } = set.metadata;
    const pod = String(manifest.metadata["name"]);
    try {
      await this.#createClaims(set, pod, ordinal);
      const created = await this.#environment.client.create(manifest, { namespace });
      await keepClaimOwners(this.#environment, set, created, ordinal, "kept");
      await this.#record(set, "Create", pod, undefined);
      return created;
    } catch (error) {
      if (!isAlreadyExists(error)) await this.#record(set, "Create", pod, error);
      throw error;
    }
  }

  /**
   * Gives a pod the labels of its identity and the volumes of its claims back, and its claims the owners that their policy says. The server refuses
   * other volumes, so that an adopted pod without them stops its set. Upstream: `UpdateStatefulPod`.
   *
   * @throws {StatusError} the refusal, after an Event about it
   */
  async restore(set: KubeObject, pod: KubeObject, ordinal: number): Promise<void> {
    const { name = "", namespace = "", labels = {} } = pod.metadata;
    const identity = identityLabels(name, ordinal, this.#environment.gates);
    const hasVolumes = hasVolumesOf(set, pod, ordinal);
    try {
      if (!hasVolumes) await this.#createClaims(set, name, ordinal);
      const hasOthers = await keepClaimOwners(this.#environment, set, pod, ordinal, "kept");
      if (labels[podNameLabel] === name && hasVolumes && !hasOthers) return;
      const metadata = { ...pod.metadata, labels: { ...labels, ...identity } };
      const former = structAt(pod, "spec");
      const spec = hasVolumes ? former : { ...former, ...volumesOf(set, former, ordinal) };
      await this.#environment.client.update({ ...pod, metadata, spec }, { namespace });
    } catch (error) {
      await this.#record(set, "Update", name, error);
      throw error;
    }
    await this.#record(set, "Update", name, undefined);
  }

  /** Says that it replaces a pod that has ended; since 1.28 it does not say so. Upstream: `processReplica`. */
  async sayRecreated(set: KubeObject, pod: KubeObject): Promise<void> {
    if (this.#environment.gates.since("1.28")) return;
    const { name, namespace } = set.metadata;
    const isFailed = textAt(pod, "status", "phase") === "Failed";
    const state = isFailed ? "failed" : "terminated";
    const message = `StatefulSet ${namespace}/${name} is recreating ${state} Pod ${pod.metadata.name}`;
    await this.#recorder.record(
      set,
      isFailed
        ? { type: "Warning", reason: "RecreatingFailedPod", message }
        : { type: "Normal", reason: "RecreatingTerminatedPod", message },
    );
  }

  /** @throws {StatusError} the refusal, after an Event about it */
  async delete(set: KubeObject, { metadata }: KubeObject): Promise<void> {
    const { name = "", namespace = "" } = metadata;
    try {
      await this.#environment.client.delete("v1", "Pod", name, { namespace });
    } catch (error) {
      if (isNotFound(error)) return;
      await this.#record(set, "Delete", name, error);
      throw error;
    }
    await this.#record(set, "Delete", name, undefined);
  }

  /**
   * Creates the claims that a pod waits for, and gives them the owners that their policy says. Upstream: `createMissingPersistentVolumeClaims`.
   *
   * @throws {Error} the problems, after an Event about each refusal
   */
  async completeClaims(set: KubeObject, pod: KubeObject, ordinal: number): Promise<void> {
    const { name = "" } = pod.metadata;
    await this.#createClaims(set, name, ordinal);
    await keepClaimOwners(this.#environment, set, pod, ordinal, "kept").catch(async (error: unknown) => {
      await this.#record(set, "Update", name, error);
      throw error;
    });
  }

  /** Creates the claims of a pod that are missing. @throws {Error} all problems, after an Event about each refusal */
  async #createClaims(set: KubeObject, pod: string, ordinal: number): Promise<void> {
    const { client, lister } = this.#environment;
    const { namespace = "" } = set.metadata;
    const problems: string[] = [];
    for (const claim of statefulClaims(set, ordinal)) {
      const { name = "" } = claim.metadata;
      const existing = lister.get(claims, namespace, name);
      if (existing !== undefined && isTerminating(existing)) problems.push(`pvc ${name} is being deleted`);
      if (existing !== undefined) continue;
      try {
        await client.create(claim, { namespace });
        await this.#recordClaim(set, name, pod, undefined);
      } catch (error) {
        problems.push(`failed to create PVC ${name}: ${messageOf(error)}`);
        if (!isAlreadyExists(error)) await this.#recordClaim(set, name, pod, error);
      }
    }
    if (problems.length > 0) throw new Error(aggregateText(problems));
  }

  #record(set: KubeObject, verb: "Create" | "Update" | "Delete", pod: string, error: unknown): Promise<void> {
    const subject = `${verb.toLowerCase()} Pod ${pod} in StatefulSet ${set.metadata.name}`;
    return this.#recordOutcome(set, verb, `${subject} successful`, `${subject} failed error:`, error);
  }

  #recordClaim(set: KubeObject, claim: string, pod: string, error: unknown): Promise<void> {
    const { name } = set.metadata;
    const success = `create Claim ${claim} Pod ${pod} in StatefulSet ${name} success`;
    const failure = `create Claim ${claim} for Pod ${pod} in StatefulSet ${name} failed error:`;
    return this.#recordOutcome(set, "Create", success, failure, error);
  }

  #recordOutcome(
    set: KubeObject,
    verb: string,
    success: string,
    failure: string,
    error: unknown,
  ): Promise<void> {
    const event =
      error === undefined
        ? ({ type: "Normal", reason: `Successful${verb}`, message: success } as const)
        : ({ type: "Warning", reason: `Failed${verb}`, message: `${failure} ${messageOf(error)}` } as const);
    return this.#recorder.record(set, event);
  }
}
