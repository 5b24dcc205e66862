import { numberAt, structAt, textAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { WorkloadEnvironment } from "../environment/workload-environment.ts";
import { isFinished } from "../pods/pod-state.ts";
import { proportionalSizes } from "./proportions.ts";
import { activeOf, allOf, byCreation, type ReplicaSets, replicaSetsOf } from "./replica-set-history.ts";
import type { ReplicaSetWriter } from "./replica-set-writer.ts";
import { desiredAnnotation, rememberedReplicas } from "./rollout-annotations.ts";
import {
  isRolling,
  newReplicaCount,
  replicasOf,
  rolloutLimits,
  totalReplicas,
  totalStatus,
} from "./rollout-limits.ts";

/** Scales the ReplicaSets of one Deployment, as its strategy says. */
export class Rollout {
  readonly #environment: WorkloadEnvironment;
  readonly #writer: ReplicaSetWriter;
  readonly #deployment: KubeObject;
  /** By uid; those that were written replace their former states. */
  readonly #sets: Map<string, KubeObject>;
  /** The same before they were scaled. */
  readonly #reported: Map<string, KubeObject>;

  constructor(
    environment: WorkloadEnvironment,
    writer: ReplicaSetWriter,
    deployment: KubeObject,
    all: readonly KubeObject[],
  ) {
    this.#environment = environment;
    this.#writer = writer;
    this.#deployment = deployment;
    this.#sets = new Map(all.map((one) => [one.metadata.uid ?? "", one]));
    this.#reported = new Map(this.#sets);
  }

  get sets(): ReplicaSets {
    return replicaSetsOf(this.#deployment, [...this.#sets.values()]);
  }

  /** The ReplicaSets as the status reports them: their new sizes are for the next look. Upstream: the `allRSs` of `rolloutRolling` and `sync`. */
  get reported(): ReplicaSets {
    return replicaSetsOf(this.#deployment, [...this.#reported.values()]);
  }

  /** Whether the Deployment was scaled since the last look. Upstream: `isScalingEvent`. */
  isScaling(): boolean {
    const replicas = replicasOf(this.#deployment);
    return activeOf(allOf(this.sets)).some((one) => {
      const desired = rememberedReplicas(one, desiredAnnotation);
      return desired !== undefined && desired !== replicas;
    });
  }

  /** Finds the new ReplicaSet and gives it the newest revision. */
  async syncRevision(): Promise<void> {
    const { newest, old } = this.sets;
    if (newest !== undefined) this.#find(await this.#writer.synced(this.#deployment, newest, old));
  }

  /** Finds the new ReplicaSet, or creates it. */
  async ensureNewest(): Promise<void> {
    const { newest, old } = this.sets;
    if (newest !== undefined) return this.syncRevision();
    this.#find(await this.#writer.create(this.#deployment, old));
  }

  /** Scales without a rollout, for a Deployment that was scaled or is paused. Upstream: `scale` (pkg/controller/deployment/sync.go). */
  async scale(): Promise<void> {
    const { newest, old } = this.sets;
    const only = onlyActiveOrLatest(this.sets);
    if (only !== undefined) {
      await this.#resize(only, replicasOf(this.#deployment));
    } else if (newest !== undefined && this.#isSaturated(newest)) {
      for (const one of activeOf(old)) await this.#resize(one, 0);
    } else if (isRolling(this.#deployment)) {
      const active = activeOf(allOf(this.sets));
      for (const [one, size] of proportionalSizes(this.#deployment, active)) {
        this.#put(await this.#writer.scale(this.#deployment, one, size));
      }
    }
  }

  /** One step of a rolling update. Returns whether it scaled. Upstream: pkg/controller/deployment/rolling.go. */
  async roll(): Promise<boolean> {
    await this.ensureNewest();
    return (await this.#growNewest()) || (await this.#shrinkOld());
  }

  /** One step of a rollout that first deletes all old pods. Returns whether it waits for them. Upstream: pkg/controller/deployment/recreate.go. */
  async recreate(): Promise<boolean> {
    await this.syncRevision();
    const active = activeOf(this.sets.old);
    for (const one of active) await this.#resize(one, 0);
    if (active.length > 0 || this.#hasOldPods()) return true;
    await this.ensureNewest();
    const { newest } = this.sets;
    if (newest !== undefined) await this.#resize(newest, replicasOf(this.#deployment));
    return false;
  }

  async #growNewest(): Promise<boolean> {
    const { newest } = this.sets;
    if (newest === undefined) return false;
    const wanted = replicasOf(this.#deployment);
    const current = replicasOf(newest);
    if (current === wanted) return false;
    const size = current > wanted ? wanted : newReplicaCount(this.#deployment, allOf(this.sets), current);
    return this.#resize(newest, size);
  }

  /** Upstream: `reconcileOldReplicaSets`. */
  async #shrinkOld(): Promise<boolean> {
    const { newest } = this.sets;
    const old = activeOf(this.sets.old);
    if (old.length === 0) return false;
    const { maxUnavailable } = rolloutLimits(this.#deployment);
    const least = replicasOf(this.#deployment) - maxUnavailable;
    const unavailable =
      newest === undefined ? 0 : replicasOf(newest) - numberAt(newest, "status", "availableReplicas");
    const most = totalReplicas(allOf(this.sets)) - least - unavailable;
    if (most <= 0) return false;
    const unhealthy = await this.#removeUnhealthy(old, most);
    const healthy = await this.#removeHealthy(least);
    return unhealthy || healthy;
  }

  /** The pods that are not available go first: they do not count. */
  async #removeUnhealthy(old: readonly KubeObject[], most: number): Promise<boolean> {
    let removed = 0;
    for (const one of old.toSorted(byCreation)) {
      const size = replicasOf(one);
      const count = Math.min(most - removed, size - numberAt(one, "status", "availableReplicas"));
      if (count <= 0) continue;
      await this.#resize(one, size - count);
      removed += count;
    }
    return removed > 0;
  }

  async #removeHealthy(least: number): Promise<boolean> {
    const surplus = totalStatus(allOf(this.sets), "availableReplicas") - least;
    let removed = 0;
    for (const one of activeOf(this.sets.old).toSorted(byCreation)) {
      const count = Math.min(replicasOf(one), surplus - removed);
      if (count <= 0) break;
      await this.#resize(one, replicasOf(one) - count);
      removed += count;
    }
    return removed > 0;
  }

  #hasOldPods(): boolean {
    const { old } = this.sets;
    if (totalStatus(old, "replicas") > 0) return true;
    const pods = old.flatMap(({ metadata }) => this.#environment.pods.ownedBy(metadata.uid ?? ""));
    return pods.some((pod) => !isFinished(pod));
  }

  #isSaturated(newest: KubeObject): boolean {
    const replicas = replicasOf(this.#deployment);
    const available = numberAt(structAt(newest, "status"), "availableReplicas");
    const desired = rememberedReplicas(newest, desiredAnnotation);
    return [replicasOf(newest), desired, available].every((count) => count === replicas);
  }

  /** Scales a ReplicaSet if its size differs. Returns whether it did. */
  async #resize(replicaSet: KubeObject, size: number): Promise<boolean> {
    if (replicasOf(replicaSet) === size) return false;
    this.#put(await this.#writer.scale(this.#deployment, replicaSet, size));
    return true;
  }

  #find(newest: KubeObject): void {
    this.#put(newest);
    this.#reported.set(newest.metadata.uid ?? "", newest);
  }

  #put(replicaSet: KubeObject): void {
    this.#sets.set(replicaSet.metadata.uid ?? "", replicaSet);
  }
}

/** The only ReplicaSet with pods, or the newest one if none has pods; undefined if several have. Upstream: `FindActiveOrLatest`. */
function onlyActiveOrLatest({ newest, old }: ReplicaSets): KubeObject | undefined {
  const active = activeOf([...old, newest]);
  if (active.length > 1) return undefined;
  return active[0] ?? newest ?? old.toSorted(byCreation).at(-1);
}

/** Whether a Deployment has the strategy Recreate. */
export function isRecreate(deployment: KubeObject): boolean {
  return textAt(deployment, "spec", "strategy", "type") === "Recreate";
}
