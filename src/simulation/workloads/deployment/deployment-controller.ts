import { booleanAt, numberAt, sizeAt, structAt, textAt, valueAt } from "../../../apimachinery/fields.ts";
import { type JsonObject, jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { labelSelectorFromObject } from "../../../apimachinery/selectors/label-selector-object.ts";
import type { Controller, ObjectChange } from "../../../controllers/contract/controller.ts";
import type { EventRecorder } from "../../events/event-recorder.ts";
import { statusCondition } from "../contract/conditions.ts";
import { isOfKind, isTerminating, keyOf, namesOf } from "../contract/object-key.ts";
import { deployments, replicaSets } from "../contract/workload-resources.ts";
import { updateStatus } from "../environment/update-status.ts";
import type { WorkloadEnvironment } from "../environment/workload-environment.ts";
import { affectedOwners, controllerKey } from "../ownership/affected-owners.ts";
import { claimObjects } from "../ownership/claim-objects.ts";
import { OwnedObjects } from "../ownership/owned-objects.ts";
import { SelectorIndex } from "../ownership/selector-index.ts";

import {
  countedStatus,
  deadlineCheck,
  hasDeadline,
  isComplete,
  rolloutStatus,
  withCondition,
} from "./deployment-status.ts";
import { ReplicaSetWriter } from "./replica-set-writer.ts";
import { cleanUpRevisions } from "./revision-cleanup.ts";
import { rollBack, rollbackRevision } from "./rollback.ts";
import { isRecreate, Rollout } from "./rollout.ts";

/** Rolls out Deployments. */
export function deploymentController(environment: WorkloadEnvironment): Controller {
  const { memory, pods } = environment;
  const selectors = memory.part("workloads/deployments/selectors", () => new SelectorIndex());
  const owned = memory.part("workloads/replicasets", () => new OwnedObjects(replicaSets));
  const sync = new DeploymentSync(environment, owned);
  return {
    name: "deployment-controller",
    kinds: ["Deployment", "ReplicaSet", "Pod"],
    observe: (change) => {
      const { object } = change;
      if (isOfKind(object, deployments)) {
        selectors.take(change, labelSelectorFromObject(valueAt(object, "spec", "selector")));
        return change.type === "put" ? [keyOf(object)] : [];
      }
      if (isOfKind(object, replicaSets))
        return affectedOwners(change, owned.take(change), deployments, selectors);
      if (object.kind !== "Pod") return [];
      pods.take(change);
      return deploymentOfLostPod(environment, change);
    },
    reconcile: (key) => sync.reconcile(key),
  };
}

/** A Deployment with the strategy Recreate waits for the end of its old pods. Upstream: `deletePod`. */
function deploymentOfLostPod(
  { lister }: WorkloadEnvironment,
  { type, object }: ObjectChange,
): readonly string[] {
  const replicaSetKey = type === "delete" ? controllerKey(object, replicaSets) : undefined;
  if (replicaSetKey === undefined) return [];
  const { namespace, name } = namesOf(replicaSetKey);
  const replicaSet = lister.get(replicaSets, namespace, name);
  const key = replicaSet === undefined ? undefined : controllerKey(replicaSet, deployments);
  if (key === undefined) return [];
  const deployment = lister.get(deployments, namespace, namesOf(key).name);
  return deployment !== undefined && isRecreate(deployment) ? [key] : [];
}

/** One look at a Deployment. Upstream: `syncDeployment` (pkg/controller/deployment/deployment_controller.go). */
class DeploymentSync {
  readonly #environment: WorkloadEnvironment;
  readonly #owned: OwnedObjects;
  readonly #recorder: EventRecorder;
  readonly #writer: ReplicaSetWriter;

  constructor(environment: WorkloadEnvironment, owned: OwnedObjects) {
    this.#environment = environment;
    this.#owned = owned;
    this.#recorder = environment.recorderOf("deployment-controller");
    this.#writer = new ReplicaSetWriter(environment, this.#recorder);
  }

  async reconcile(key: string): Promise<number | undefined> {
    const deployment = this.#latest(key);
    if (deployment === undefined) return undefined;
    if (
      sizeAt(deployment, "spec", "selector", "matchLabels") +
        sizeAt(deployment, "spec", "selector", "matchExpressions") ===
      0
    )
      return this.#refuseEmptySelector(deployment);
    const all = await this.#claim(deployment);
    if (!isTerminating(deployment)) await this.#reportPause(deployment);
    const current = this.#latest(key);
    if (current === undefined) return undefined;
    const rollout = new Rollout(this.#environment, this.#writer, current, all);
    if (isTerminating(current)) return this.#reportCounts(current, rollout);
    return this.#rollOut(key, current, rollout);
  }

  async #rollOut(key: string, deployment: KubeObject, rollout: Rollout): Promise<number | undefined> {
    const isPaused = booleanAt(deployment, "spec", "paused");
    const revision = rollbackRevision(deployment);
    if (!isPaused && revision !== undefined) {
      await rollout.ensureNewest();
      const latest = this.#latest(key) ?? deployment;
      await rollBack(latest, revision, rollout.sets, this.#environment.client, this.#recorder);
      return undefined;
    }
    if (isPaused || rollout.isScaling()) {
      await rollout.syncRevision();
      await rollout.scale();
      const latest = this.#latest(key) ?? deployment;
      if (isPaused) await cleanUpRevisions(latest, rollout.sets.old, this.#environment.client);
      return this.#reportCounts(latest, rollout);
    }
    const isBusy = isRecreate(deployment) ? await rollout.recreate() : await rollout.roll();
    const latest = this.#latest(key) ?? deployment;
    if (!isBusy && isComplete(latest, structAt(latest, "status")))
      await cleanUpRevisions(latest, rollout.sets.old, this.#environment.client);
    return this.#reportRollout(latest, rollout);
  }

  #latest(key: string): KubeObject | undefined {
    const { namespace, name } = namesOf(key);
    return this.#environment.lister.get(deployments, namespace, name);
  }

  #claim(owner: KubeObject): Promise<readonly KubeObject[]> {
    const { lister, client } = this.#environment;
    const { uid = "", namespace = "" } = owner.metadata;
    const selector = labelSelectorFromObject(valueAt(owner, "spec", "selector"));
    const matches = ({ metadata }: KubeObject) => selector.matches(metadata.labels ?? {});
    const candidates = [...this.#owned.ownedBy(uid), ...this.#owned.orphansIn(namespace)];
    return claimObjects({ owner, resource: deployments, lister, client, matches }, candidates);
  }

  async #refuseEmptySelector(deployment: KubeObject): Promise<undefined> {
    const message = "This deployment is selecting all pods. A non-empty selector is required.";
    await this.#recorder.record(deployment, { type: "Warning", reason: "SelectingAll", message });
    const { generation = 0 } = deployment.metadata;
    if (numberAt(deployment, "status", "observedGeneration") >= generation) return;
    const status = { ...structAt(deployment, "status"), observedGeneration: generation };
    await updateStatus(this.#environment, deployments, deployment, status);
  }

  /** Upstream: `checkPausedConditions` (pkg/controller/deployment/sync.go). */
  async #reportPause(deployment: KubeObject): Promise<void> {
    if (!hasDeadline(deployment)) return;
    const status = structAt(deployment, "status");
    const reason = textAt(statusCondition(status, "Progressing") ?? {}, "reason");
    if (reason === "ProgressDeadlineExceeded") return;
    const isPaused = booleanAt(deployment, "spec", "paused");
    if (isPaused === (reason === "DeploymentPaused")) return;
    const state = isPaused
      ? { reason: "DeploymentPaused", message: "Deployment is paused" }
      : { reason: "DeploymentResumed", message: "Deployment is resumed" };
    const condition = { type: "Progressing", status: "Unknown", ...state } as const;
    const next = withCondition(status, condition, this.#environment.clock.now());
    await updateStatus(this.#environment, deployments, deployment, next);
  }

  async #reportCounts(deployment: KubeObject, rollout: Rollout): Promise<undefined> {
    const status = countedStatus(deployment, rollout.reported, this.#environment);
    await this.#report(deployment, status);
  }

  async #reportRollout(deployment: KubeObject, rollout: Rollout): Promise<number | undefined> {
    const status = rolloutStatus(deployment, rollout.reported, this.#environment);
    await this.#report(deployment, status);
    return deadlineCheck(deployment, status, this.#environment.clock.now());
  }

  async #report(deployment: KubeObject, status: JsonObject): Promise<void> {
    if (jsonEqual(status, structAt(deployment, "status"))) return;
    await updateStatus(this.#environment, deployments, deployment, status);
  }
}
