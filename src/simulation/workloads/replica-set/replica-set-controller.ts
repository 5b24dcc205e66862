import { numberAt, structAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { LabelSelector } from "../../../apimachinery/selectors/label-selector.ts";
import type { Controller } from "../../../controllers/contract/controller.ts";
import { isOfKind, isTerminating, keyOf, namesOf } from "../contract/object-key.ts";
import { updateStatus } from "../environment/update-status.ts";
import type { WorkloadEnvironment } from "../environment/workload-environment.ts";
import { affectedOwners } from "../ownership/affected-owners.ts";
import { claimObjects } from "../ownership/claim-objects.ts";
import { controllerOf } from "../ownership/controller-reference.ts";
import { OwnedObjects } from "../ownership/owned-objects.ts";
import { SelectorIndex } from "../ownership/selector-index.ts";
import { podsToDelete } from "../pods/deletion-order.ts";
import { isNamespaceTerminating, PodControl, podFromTemplate } from "../pods/pod-control.ts";
import { isActive, isFinished } from "../pods/pod-state.ts";
import { slowStart } from "../pods/slow-start.ts";
import { type ReplicaKind, replicaSetKind, replicationControllerKind } from "./replica-set-kinds.ts";
import { hasStatus, nextAvailability, replicaSetStatus } from "./replica-set-status.ts";

/** The most pods that one look at an object creates or deletes. */
const burstReplicas = 500;

/** Keeps the pods of ReplicaSets. */
export function replicaSetController(environment: WorkloadEnvironment): Controller {
  return replicaController(environment, replicaSetKind);
}

/** Keeps the pods of ReplicationControllers. */
export function replicationController(environment: WorkloadEnvironment): Controller {
  return replicaController(environment, replicationControllerKind);
}

function replicaController(environment: WorkloadEnvironment, kind: ReplicaKind): Controller {
  const { memory, pods } = environment;
  const name = kind.resource.resource;
  const selectors = memory.part(`workloads/${name}/selectors`, () => new SelectorIndex());
  const siblings = memory.part(`workloads/${name}`, () => new OwnedObjects(kind.resource));
  const sync = new ReplicaSync(environment, kind, siblings);
  return {
    name: kind.controller,
    kinds: [kind.resource.kind, "Pod"],
    observe: (change) => {
      const { object } = change;
      if (isOfKind(object, kind.resource)) {
        siblings.take(change);
        selectors.take(change, kind.selectorOf(object));
        return change.type === "put" ? [keyOf(object)] : [];
      }
      if (object.kind !== "Pod") return [];
      return affectedOwners(change, pods.take(change), kind.resource, selectors);
    },
    reconcile: (key) => sync.reconcile(key),
  };
}

/** One look at a ReplicaSet. Upstream: `syncReplicaSet` (pkg/controller/replicaset/replica_set.go). */
class ReplicaSync {
  readonly #environment: WorkloadEnvironment;
  readonly #kind: ReplicaKind;
  /** The objects of the kind, by their controllers. */
  readonly #siblings: OwnedObjects;
  readonly #control: PodControl;

  constructor(environment: WorkloadEnvironment, kind: ReplicaKind, siblings: OwnedObjects) {
    this.#environment = environment;
    this.#kind = kind;
    this.#siblings = siblings;
    this.#control = new PodControl(environment.client, environment.recorderOf(kind.component));
  }

  async reconcile(key: string): Promise<number | undefined> {
    const { lister, pods: known, clock } = this.#environment;
    const { namespace, name } = namesOf(key);
    const object = lister.get(this.#kind.resource, namespace, name);
    if (object === undefined) return undefined;
    const selector = this.#kind.selectorOf(object);
    const owned = known.ownedBy(object.metadata.uid ?? "");
    const candidates = [...owned, ...known.orphansIn(namespace)].filter(isActive);
    const pods = await this.#claim(object, selector, candidates);
    const failure = isTerminating(object) ? undefined : await this.#manage(object, pods);
    const now = clock.now();
    const terminating = this.#terminating(selector, owned);
    const status = replicaSetStatus(object, { pods, terminating, failure, now });
    if (!hasStatus(object, status)) {
      await updateStatus(this.#environment, this.#kind.resource, object, status);
    }
    if (failure !== undefined) throw failure;
    return nextAvailability(object, pods, now);
  }

  #claim(owner: KubeObject, selector: LabelSelector, candidates: readonly KubeObject[]) {
    const { lister, client } = this.#environment;
    const matches = ({ metadata }: KubeObject) => selector.matches(metadata.labels ?? {});
    return claimObjects({ owner, resource: this.#kind.resource, lister, client, matches }, candidates);
  }

  #terminating(selector: LabelSelector, owned: readonly KubeObject[]): readonly KubeObject[] | undefined {
    if (!this.#environment.gates.isEnabled("DeploymentReplicaSetTerminatingReplicas")) return undefined;
    if (this.#kind !== replicaSetKind) return undefined;
    const isCounted = (pod: KubeObject) => isTerminating(pod) && !isFinished(pod);
    return owned.filter((pod) => isCounted(pod) && selector.matches(pod.metadata.labels ?? {}));
  }

  /** Creates the missing pods, or deletes those that are too many. Returns the first error. Upstream: `manageReplicas`. */
  async #manage(object: KubeObject, pods: readonly KubeObject[]): Promise<unknown> {
    const missing = numberAt(object, "spec", "replicas") - pods.length;
    if (missing > 0) return this.#create(object, Math.min(missing, burstReplicas));
    return missing < 0 ? this.#delete(object, pods, Math.min(-missing, burstReplicas)) : undefined;
  }

  #create(object: KubeObject, count: number): Promise<unknown> {
    const manifest = podFromTemplate(structAt(object, "spec", "template"), object);
    return slowStart(count, async () => {
      try {
        await this.#control.create(object, manifest);
      } catch (error) {
        if (!isNamespaceTerminating(error)) throw error;
      }
    });
  }

  async #delete(object: KubeObject, pods: readonly KubeObject[], count: number): Promise<unknown> {
    const { clock, gates } = this.#environment;
    const hasCosts = gates.isEnabled("PodDeletionCost");
    const order = { now: clock.now(), hasCosts, isLogarithmic: gates.since("1.22") };
    let failure: unknown;
    for (const pod of podsToDelete(pods, this.#related(object), count, order)) {
      await this.#control.delete(object, pod).catch((error: unknown) => {
        failure ??= error;
      });
    }
    return failure;
  }

  /** The pods of all objects with the same controller, such as the ReplicaSets of a Deployment; none without one. Upstream: `getIndirectlyRelatedPods`. */
  #related(object: KubeObject): readonly KubeObject[] {
    const { pods } = this.#environment;
    const controller = controllerOf(object);
    if (controller === undefined) return [];
    return this.#siblings.ownedBy(controller.uid).flatMap(({ metadata }) => pods.ownedBy(metadata.uid ?? ""));
  }
}
