import { numberAt, structAt, textAt, valueAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { isTerminating } from "../contract/object-key.ts";
import { scaledValue } from "../contract/percent.ts";
import type { WorkloadEnvironment } from "../environment/workload-environment.ts";
import { isFinished } from "../pods/pod-state.ts";
import { slowStart } from "../pods/slow-start.ts";
import { templateOf } from "../revisions/controller-history.ts";
import { hasStaleClaim, keepClaimOwners } from "./claim-retention.ts";
import type { StatefulPodControl } from "./stateful-pod-control.ts";
import { ordinalOf, startOrdinal, statefulPod } from "./stateful-set-identity.ts";
import type { StatefulSetRevisions } from "./stateful-set-revisions.ts";
import { isHealthy, isRunningAndAvailable, podRevision } from "./stateful-set-status.ts";

/** Brings the pods of one set one step closer to its spec. Upstream: `updateStatefulSet` (pkg/controller/statefulset/stateful_set_control.go). */
export class StatefulSetUpdate {
  readonly #environment: WorkloadEnvironment;
  readonly #control: StatefulPodControl;
  readonly #set: KubeObject;
  readonly #revisions: StatefulSetRevisions;
  /** How many pods the set wants. There may be far fewer. */
  readonly #count: number;
  /** The pods of the ordinals of the set, by ordinal and in that order. */
  readonly #replicas: ReadonlyMap<number, KubeObject>;
  /** The pods of other ordinals, the highest first. */
  readonly #condemned: readonly KubeObject[];

  constructor(
    environment: WorkloadEnvironment,
    control: StatefulPodControl,
    set: KubeObject,
    revisions: StatefulSetRevisions,
    pods: readonly KubeObject[],
  ) {
    this.#environment = environment;
    this.#control = control;
    this.#set = set;
    this.#revisions = revisions;
    this.#count = numberAt(set, "spec", "replicas");
    const byOrdinal = new Map(pods.map((pod) => [ordinalOf(set, pod) ?? -1, pod]));
    const sorted = [...byOrdinal].toSorted(([a], [b]) => a - b);
    const start = startOrdinal(set);
    const isWanted = (ordinal: number) => ordinal >= start && ordinal < start + this.#count;
    this.#replicas = new Map(sorted.filter(([ordinal]) => isWanted(ordinal)));
    const others = sorted.filter(([ordinal]) => !isWanted(ordinal));
    this.#condemned = others.toReversed().map(([, pod]) => pod);
  }

  /** Returns how many pods of old revisions it has deleted for the update. */
  async run(): Promise<number> {
    if (!(await this.#keepReplicas())) return 0;
    for (const pod of this.#condemned) {
      await keepClaimOwners(this.#environment, this.#set, pod, this.#ordinal(pod), "condemned");
    }
    if (!(await this.#removeCondemned())) return 0;
    return textAt(this.#set, "spec", "updateStrategy", "type") === "OnDelete" ? 0 : this.#update();
  }

  get #isOrdered(): boolean {
    return textAt(this.#set, "spec", "podManagementPolicy") !== "Parallel";
  }

  get #partition(): number {
    return numberAt(this.#set, "spec", "updateStrategy", "rollingUpdate", "partition");
  }

  /** The pod of an index, which counts from the first ordinal of the set. */
  #replica(i: number): KubeObject | undefined {
    return this.#replicas.get(startOrdinal(this.#set) + i);
  }

  #ordinal(pod: KubeObject): number {
    return ordinalOf(this.#set, pod) ?? 0;
  }

  /** Returns whether the next steps may follow. In order, all replicas must be as they should be. */
  async #keepReplicas(): Promise<boolean> {
    if (!this.#isOrdered) return this.#keepAll();
    for (let i = 0; i < this.#count; i++) {
      if (!(await this.#keepReplica(i, this.#replica(i)))) return false;
    }
    return true;
  }

  async #keepAll(): Promise<true> {
    const failure = await slowStart(this.#count, async (i) => {
      await this.#keepReplica(i, this.#replica(i));
    });
    if (failure !== undefined) throw failure;
    return true;
  }

  async #keepReplica(i: number, pod: KubeObject | undefined): Promise<boolean> {
    const ordinal = startOrdinal(this.#set) + i;
    if (pod === undefined) {
      await this.#create(i, ordinal);
      return false;
    }
    if (isFinished(pod)) {
      if (isTerminating(pod)) return false;
      await this.#control.sayRecreated(this.#set, pod);
      await this.#control.delete(this.#set, pod);
      return false;
    }
    if (textAt(pod, "status", "phase") === "Pending")
      await this.#control.completeClaims(this.#set, pod, ordinal);
    if (this.#isOrdered && (!this.#isAvailable(pod) || isTerminating(pod))) return false;
    await this.#control.restore(this.#set, pod, ordinal);
    return true;
  }

  #isAvailable(pod: KubeObject): boolean {
    return isRunningAndAvailable(this.#set, pod, this.#environment.clock.now());
  }

  /** A pod below the partition is made from the current revision, also if it is created again. */
  async #create(i: number, ordinal: number): Promise<void> {
    const { current, update } = this.#revisions;
    const strategy = structAt(this.#set, "spec", "updateStrategy");
    const kept =
      strategy["rollingUpdate"] === undefined
        ? numberAt(this.#set, "status", "currentReplicas")
        : this.#partition;
    const revision = strategy["type"] === "RollingUpdate" && i < kept ? current : update;
    const name = revision.metadata.name ?? "";
    const pod = statefulPod(this.#set, templateOf(revision), name, ordinal, this.#environment.gates);
    // The deletion of the claim leads to the next look.
    if (hasStaleClaim(this.#environment, this.#set, String(pod.metadata["name"]), ordinal)) return;
    await this.#control.create(this.#set, pod, ordinal);
  }

  /** Returns whether none of them is left to wait for. */
  async #removeCondemned(): Promise<boolean> {
    const firstUnhealthy = this.#firstUnavailable();
    for (const pod of this.#condemned) {
      if (!isTerminating(pod)) {
        const waits = this.#isOrdered && !this.#isAvailable(pod) && pod !== firstUnhealthy;
        if (waits) return false;
        await this.#control.delete(this.#set, pod);
      }
      if (this.#isOrdered) return false;
    }
    return true;
  }

  #firstUnavailable(): KubeObject | undefined {
    const all = [...this.#replicas.values(), ...this.#condemned.toReversed()];
    return all.find((pod) => this.#isUnavailable(pod));
  }

  /** Since 1.34, a pod that has not been ready for `minReadySeconds` counts, too. Upstream: `isUnavailable`. */
  #isUnavailable(pod: KubeObject): boolean {
    return !isHealthy(pod) || (this.#environment.gates.since("1.34") && !this.#isAvailable(pod));
  }

  /**
   * Deletes the pods of old revisions from the highest ordinal down to the partition, as many as may be unavailable. Upstream:
   * `updateStatefulSetAfterInvariantEstablished`.
   */
  async #update(): Promise<number> {
    let deleted = 0;
    let room = this.#maxUnavailable() - (this.#isLimited() ? this.#unavailable() : 0);
    for (let i = this.#count - 1; i >= this.#partition && room > 0; i--) {
      const pod = this.#replica(i);
      const isOld = pod !== undefined && podRevision(pod) !== this.#revisions.update.metadata.name;
      if (isOld && !isTerminating(pod)) {
        await this.#control.delete(this.#set, pod);
        deleted++;
        room--;
      } else if (!this.#isLimited() && (pod === undefined || this.#isUnavailable(pod))) break;
    }
    return deleted;
  }

  #isLimited(): boolean {
    return this.#environment.gates.isEnabled("MaxUnavailableStatefulSet");
  }

  #maxUnavailable(): number {
    if (!this.#isLimited()) return 1;
    const value = valueAt(this.#set, "spec", "updateStrategy", "rollingUpdate", "maxUnavailable") ?? 1;
    return Math.max(1, scaledValue(value, this.#count, Math.floor));
  }

  #unavailable(): number {
    const pods = [...this.#replicas.values()];
    return this.#count - pods.filter((pod) => !this.#isUnavailable(pod)).length;
  }
}
