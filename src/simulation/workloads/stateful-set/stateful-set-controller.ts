import { numberAt, sizeAt, valueAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { labelSelectorFromObject } from "../../../apimachinery/selectors/label-selector-object.ts";
import type { Controller } from "../../../controllers/contract/controller.ts";
import { claims } from "../contract/core-resources.ts";
import { isOfKind, isTerminating, keyOf, namesOf } from "../contract/object-key.ts";
import { controllerRevisions, statefulSets } from "../contract/workload-resources.ts";
import { updateStatus } from "../environment/update-status.ts";
import type { WorkloadEnvironment } from "../environment/workload-environment.ts";
import { affectedOwners } from "../ownership/affected-owners.ts";
import { claimObjects } from "../ownership/claim-objects.ts";
import type { OwnedObjects } from "../ownership/owned-objects.ts";
import { SelectorIndex } from "../ownership/selector-index.ts";

import { hasStatus, nextAvailability } from "../replica-set/replica-set-status.ts";
import { revisionIndex, truncateRevisions } from "../revisions/controller-history.ts";
import { StatefulPodControl } from "./stateful-pod-control.ts";
import { ordinalOf } from "./stateful-set-identity.ts";
import { type StatefulSetRevisions, statefulSetRevisions } from "./stateful-set-revisions.ts";
import { podRevision, statefulSetStatus } from "./stateful-set-status.ts";
import { StatefulSetUpdate } from "./stateful-set-update.ts";

/** Runs the pods of StatefulSets in order. Upstream: pkg/controller/statefulset. */
export function statefulSetController(environment: WorkloadEnvironment): Controller {
  const { memory, pods } = environment;
  const selectors = memory.part("workloads/statefulsets/selectors", () => new SelectorIndex());
  const history = revisionIndex(environment);
  const sync = new StatefulSetSync(environment, history);
  return {
    name: "statefulset-controller",
    kinds: ["StatefulSet", "ControllerRevision", "Pod", "PersistentVolumeClaim"],
    observe: (change) => {
      const { object } = change;
      if (isOfKind(object, statefulSets)) {
        selectors.take(change, labelSelectorFromObject(valueAt(object, "spec", "selector")));
        return change.type === "put" ? [keyOf(object)] : [];
      }
      if (isOfKind(object, controllerRevisions)) history.take(change);
      if (change.type === "delete" && isOfKind(object, claims)) return setsWaitingFor(object);
      if (object.kind !== "Pod") return [];
      return affectedOwners(change, pods.take(change), statefulSets, selectors);
    },
    reconcile: (key) => sync.reconcile(key),
  };
}

/** The set whose pod cannot be created while a claim of the former pod of that name goes. */
function setsWaitingFor({ metadata: { namespace, ownerReferences = [] } }: KubeObject): readonly string[] {
  return ownerReferences
    .filter(({ kind }) => kind === "Pod")
    .map(({ name }) => `${namespace}/${name.replace(/-\d+$/, "")}`);
}

class StatefulSetSync {
  readonly #environment: WorkloadEnvironment;
  readonly #history: OwnedObjects;
  readonly #control: StatefulPodControl;

  constructor(environment: WorkloadEnvironment, history: OwnedObjects) {
    this.#environment = environment;
    this.#history = history;
    this.#control = new StatefulPodControl(environment);
  }

  async reconcile(key: string): Promise<number | undefined> {
    const { lister, clock } = this.#environment;
    const { namespace, name } = namesOf(key);
    const set = lister.get(statefulSets, namespace, name);
    if (set === undefined || sizeAt(set, "spec", "selector") === 0) return undefined;
    const history = await this.#claim(set, this.#history, () => true);
    const pods = await this.#claim(set, this.#environment.pods, (pod) => ordinalOf(set, pod) !== undefined);
    const revisions = await statefulSetRevisions(this.#environment, set, history);
    const { deleted, failure } = isTerminating(set)
      ? { deleted: 0, failure: undefined }
      : await this.#update(set, revisions, pods);
    const status = statefulSetStatus(set, pods, revisions, clock.now(), deleted);
    if (!hasStatus(set, status)) await updateStatus(this.#environment, statefulSets, set, status);
    if (failure !== undefined) throw failure.error;
    await this.#truncate(set, history, pods, revisions);
    return nextAvailability(set, pods, clock.now());
  }

  /** The status is reported even if the update fails. */
  async #update(set: KubeObject, revisions: StatefulSetRevisions, pods: readonly KubeObject[]) {
    try {
      const update = new StatefulSetUpdate(this.#environment, this.#control, set, revisions, pods);
      return { deleted: await update.run(), failure: undefined };
    } catch (error) {
      return { deleted: 0, failure: { error } };
    }
  }

  #claim(
    owner: KubeObject,
    index: OwnedObjects,
    isMember: (object: KubeObject) => boolean,
  ): Promise<readonly KubeObject[]> {
    const { lister, client } = this.#environment;
    const { uid = "", namespace = "" } = owner.metadata;
    const selector = labelSelectorFromObject(valueAt(owner, "spec", "selector"));
    const matches = (object: KubeObject) =>
      selector.matches(object.metadata.labels ?? {}) && isMember(object);
    const candidates = [...index.ownedBy(uid), ...index.orphansIn(namespace)];
    return claimObjects({ owner, resource: statefulSets, lister, client, matches }, candidates);
  }

  async #truncate(
    set: KubeObject,
    history: readonly KubeObject[],
    pods: readonly KubeObject[],
    { current, update }: StatefulSetRevisions,
  ): Promise<void> {
    const used = new Set([current, update].map(({ metadata }) => metadata.name));
    for (const pod of pods) used.add(podRevision(pod));
    const unused = history.filter(({ metadata }) => !used.has(metadata.name));
    await truncateRevisions(this.#environment, unused, numberAt(set, "spec", "revisionHistoryLimit"));
  }
}
