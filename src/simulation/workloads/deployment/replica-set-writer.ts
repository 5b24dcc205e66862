import { isAlreadyExists } from "../../../apimachinery/errors/error-predicates.ts";
import { messageOf } from "../../../apimachinery/errors/message-of.ts";
import { numberAt, structAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { EventRecorder } from "../../events/event-recorder.ts";
import { statusCondition } from "../contract/conditions.ts";
import { encodedHash } from "../contract/encoded-hash.ts";
import { deployments, replicaSets } from "../contract/workload-resources.ts";
import { updateStatus } from "../environment/update-status.ts";
import type { WorkloadEnvironment } from "../environment/workload-environment.ts";
import { controllerReference, isControlledBy } from "../ownership/controller-reference.ts";
import { isNamespaceTerminating } from "../pods/pod-control.ts";
import { hasDeadline, withCondition } from "./deployment-status.ts";
import { byRevision, hashLabel, hasTemplateOf, type ReplicaSets } from "./replica-set-history.ts";
import {
  newestAnnotations,
  replicaAnnotations,
  revisionAnnotation,
  revisionOf,
} from "./rollout-annotations.ts";
import { newReplicaCount, replicasOf } from "./rollout-limits.ts";

/** Writes the ReplicaSets of Deployments. */
export class ReplicaSetWriter {
  readonly #environment: WorkloadEnvironment;
  readonly #recorder: EventRecorder;

  constructor(environment: WorkloadEnvironment, recorder: EventRecorder) {
    this.#environment = environment;
    this.#recorder = recorder;
  }

  /**
   * Gives the new ReplicaSet the newest revision, and the Deployment the same. Upstream: the first half of `getNewReplicaSet`
   * (pkg/controller/deployment/sync.go).
   */
  async synced(deployment: KubeObject, newest: KubeObject, old: readonly KubeObject[]): Promise<KubeObject> {
    const { client, clock } = this.#environment;
    const current = newest.metadata.annotations ?? {};
    const annotations = newestAnnotations(deployment, current, newestRevision(old));
    const minReadySeconds = numberAt(deployment, "spec", "minReadySeconds");
    const isSame = Object.entries(annotations).every(([key, value]) => current[key] === value);
    if (!isSame || numberAt(newest, "spec", "minReadySeconds") !== minReadySeconds) {
      const { namespace = "" } = newest.metadata;
      const spec = { ...structAt(newest, "spec"), minReadySeconds };
      return client.update({ ...newest, metadata: { ...newest.metadata, annotations }, spec }, { namespace });
    }
    const status = structAt(deployment, "status");
    const needsCondition = hasDeadline(deployment) && statusCondition(status, "Progressing") === undefined;
    const message = `Found new replica set "${newest.metadata.name}"`;
    const found = { type: "Progressing", status: "True", reason: "FoundNewReplicaSet", message } as const;
    const next = needsCondition ? withCondition(status, found, clock.now()) : status;
    await this.#report(deployment, annotations[revisionAnnotation] ?? "", next);
    return newest;
  }

  /** Creates the new ReplicaSet. @throws {StatusError} the refusal, and for a name that another object has */
  async create(deployment: KubeObject, old: readonly KubeObject[]): Promise<KubeObject> {
    const revision = newestRevision(old);
    const manifest = this.#manifest(deployment, old, revision);
    const { namespace = "" } = deployment.metadata;
    let created: KubeObject;
    try {
      created = await this.#environment.client.create(manifest, { namespace });
    } catch (error) {
      if (!isAlreadyExists(error)) await this.#reportFailure(deployment, manifest, error);
      const existing = isAlreadyExists(error) ? this.#existing(deployment, manifest) : undefined;
      if (existing !== undefined) return existing;
      if (isAlreadyExists(error)) await this.#countCollision(deployment);
      throw error;
    }
    await this.#reportCreation(deployment, created, revision);
    return created;
  }

  /** Scales a ReplicaSet, if its size or what it remembers of the Deployment differs. Upstream: `scaleReplicaSet`. */
  async scale(deployment: KubeObject, replicaSet: KubeObject, size: number): Promise<KubeObject> {
    const current = replicasOf(replicaSet);
    const remembered = replicaAnnotations(deployment);
    const { annotations = {}, namespace = "", name = "" } = replicaSet.metadata;
    const isRemembered = Object.entries(remembered).every(([key, value]) => annotations[key] === value);
    if (current === size && isRemembered) return replicaSet;
    const scaled = await this.#environment.client.update(
      {
        ...replicaSet,
        metadata: { ...replicaSet.metadata, annotations: { ...annotations, ...remembered } },
        spec: { ...structAt(replicaSet, "spec"), replicas: size },
      },
      { namespace },
    );
    if (size !== current) await this.#recordScaling(deployment, name, current, size);
    return scaled;
  }

  #manifest(deployment: KubeObject, old: readonly KubeObject[], revision: bigint): KubeObject {
    const { namespace = "", name = "" } = deployment.metadata;
    const template = structAt(deployment, "spec", "template");
    const hash = encodedHash(template, collisionsOf(deployment));
    const metadata = structAt(template, "metadata");
    const labels = { ...structAt(metadata, "labels"), [hashLabel]: hash };
    const selector = structAt(deployment, "spec", "selector");
    const minReadySeconds = numberAt(deployment, "spec", "minReadySeconds");
    const annotations = newestAnnotations(deployment, {}, revision);
    return {
      apiVersion: replicaSets.apiVersion,
      kind: replicaSets.kind,
      metadata: {
        name: this.#environment.gates.since("1.34") ? replicaSetName(name, hash) : `${name}-${hash}`,
        namespace,
        // Labels are strings.
        labels: labels as { readonly [key: string]: string },
        annotations: { ...annotations, ...replicaAnnotations(deployment) },
        ownerReferences: [controllerReference(deployment)],
      },
      spec: {
        replicas: newReplicaCount(deployment, old, 0),
        ...(minReadySeconds > 0 && { minReadySeconds }),
        selector: { ...selector, matchLabels: { ...structAt(selector, "matchLabels"), [hashLabel]: hash } },
        template: { ...template, metadata: { ...metadata, labels } },
      },
    };
  }

  /** The ReplicaSet of this name, if it is the one to create. */
  #existing(deployment: KubeObject, { metadata }: KubeObject): KubeObject | undefined {
    const { namespace = "", name = "" } = metadata;
    const found = this.#environment.lister.get(replicaSets, namespace, name);
    if (found === undefined || !isControlledBy(found, deployment)) return undefined;
    return hasTemplateOf(deployment, found) ? found : undefined;
  }

  /** Another template has the same hash, or another object the name: the next try gives another hash. */
  async #countCollision(deployment: KubeObject): Promise<void> {
    const collisionCount = (collisionsOf(deployment) ?? 0) + 1;
    const status = { ...structAt(deployment, "status"), collisionCount };
    await updateStatus(this.#environment, deployments, deployment, status);
  }

  async #reportFailure(deployment: KubeObject, { metadata }: KubeObject, error: unknown): Promise<void> {
    if (isNamespaceTerminating(error)) return;
    const reason = "ReplicaSetCreateError";
    const message = `Failed to create new replica set "${metadata.name}": ${messageOf(error)}`;
    if (hasDeadline(deployment)) {
      const failed = { type: "Progressing", status: "False", reason, message } as const;
      const status = withCondition(structAt(deployment, "status"), failed, this.#environment.clock.now());
      await updateStatus(this.#environment, deployments, deployment, status);
    }
    await this.#recorder.record(deployment, { type: "Warning", reason, message });
  }

  async #reportCreation(deployment: KubeObject, created: KubeObject, revision: bigint): Promise<void> {
    const size = replicasOf(created);
    const name = created.metadata.name ?? "";
    if (size > 0) await this.#recordCreation(deployment, name, size);
    const status = structAt(deployment, "status");
    const message = `Created new replica set "${name}"`;
    const condition = {
      type: "Progressing",
      status: "True",
      reason: "NewReplicaSetCreated",
      message,
    } as const;
    const next = hasDeadline(deployment)
      ? withCondition(status, condition, this.#environment.clock.now())
      : status;
    await this.#report(deployment, String(revision), next);
  }

  /** Writes the revision and the status of a Deployment, if one differs. */
  async #report(deployment: KubeObject, revision: string, status: JsonObject): Promise<void> {
    const { annotations = {} } = deployment.metadata;
    if (annotations[revisionAnnotation] === revision && status === structAt(deployment, "status")) return;
    const metadata = {
      ...deployment.metadata,
      annotations: { ...annotations, [revisionAnnotation]: revision },
    };
    await updateStatus(this.#environment, deployments, { ...deployment, metadata }, status);
  }

  #recordCreation(deployment: KubeObject, name: string, size: number): Promise<void> {
    const { since } = this.#environment.gates;
    return this.#record(
      deployment,
      `Scaled up replica set ${name} ${since("1.32") ? "from 0 " : ""}to ${size}`,
    );
  }

  #recordScaling(deployment: KubeObject, name: string, from: number, to: number): Promise<void> {
    const { since } = this.#environment.gates;
    const direction = to > from ? "up" : "down";
    const former = since("1.25") ? `to ${to} from ${from}` : `to ${to}`;
    const change = since("1.32") ? `from ${from} to ${to}` : former;
    return this.#record(deployment, `Scaled ${direction} replica set ${name} ${change}`);
  }

  #record(deployment: KubeObject, message: string): Promise<void> {
    return this.#recorder.record(deployment, { type: "Normal", reason: "ScalingReplicaSet", message });
  }
}

/** The revision after those of the old ReplicaSets. */
function newestRevision(old: ReplicaSets["old"]): bigint {
  const revisions = old.toSorted(byRevision).map(revisionOf);
  const highest = revisions.filter((revision) => revision > 0n).at(-1) ?? 0n;
  return BigInt.asIntN(64, highest + 1n);
}

function collisionsOf(deployment: KubeObject): number | undefined {
  const { collisionCount } = structAt(deployment, "status");
  return typeof collisionCount === "number" ? collisionCount : undefined;
}

/** The name of a Deployment with a hash. Names are at most 253 characters long; before 1.34, a longer one is refused. */
function replicaSetName(deployment: string, hash: string): string {
  return `${deployment.slice(0, 253 - hash.length - 1)}-${hash}`;
}
