import { structAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { ControllerClient } from "../../../controllers/contract/controller.ts";
import type { EventRecorder } from "../../events/event-recorder.ts";
import { allOf, byRevision, hasTemplateOf, type ReplicaSets, withoutHash } from "./replica-set-history.ts";
import { revisionOf, rolledBackAnnotations } from "./rollout-annotations.ts";

const rollbackAnnotation = "deprecated.deployment.rollback.to";

/** The revision that a client of an old version asked for; 0 is the last one. */
export function rollbackRevision({ metadata }: KubeObject): number | undefined {
  const text = metadata.annotations?.[rollbackAnnotation] ?? "";
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** Gives a Deployment the template of an old revision. Upstream: pkg/controller/deployment/rollback.go. */
export async function rollBack(
  deployment: KubeObject,
  wanted: number,
  sets: ReplicaSets,
  client: ControllerClient,
  recorder: EventRecorder,
): Promise<void> {
  const { name = "", namespace = "" } = deployment.metadata;
  const all = allOf(sets);
  const revision = wanted === 0 ? lastRevision(all) : wanted;
  const target = all.find((one) => revisionOf(one) === BigInt(revision));
  const outcome = outcomeOf(deployment, wanted, revision, target);
  if (outcome.type === "Warning") await recorder.record(deployment, outcome);
  const isDone = target !== undefined && outcome.type === "Normal";
  const { [rollbackAnnotation]: _, ...annotations } = isDone
    ? rolledBackAnnotations(deployment, target)
    : (deployment.metadata.annotations ?? {});
  const spec = structAt(deployment, "spec");
  const template = isDone ? withoutHash(structAt(target, "spec", "template")) : structAt(spec, "template");
  const metadata = { ...deployment.metadata, name, annotations };
  await client.update({ ...deployment, metadata, spec: { ...spec, template } }, { namespace });
  if (outcome.type === "Normal") await recorder.record(deployment, outcome);
}

interface Outcome {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
}

function outcomeOf(
  deployment: KubeObject,
  wanted: number,
  revision: number,
  target: KubeObject | undefined,
): Outcome {
  const { name } = deployment.metadata;
  const notFound = { type: "Warning", reason: "DeploymentRollbackRevisionNotFound" } as const;
  if (wanted === 0 && revision === 0) return { ...notFound, message: "Unable to find last revision." };
  if (target === undefined) return { ...notFound, message: "Unable to find the revision to rollback to." };
  if (hasTemplateOf(deployment, target)) {
    const message = `The rollback revision contains the same template as current deployment "${name}"`;
    return { type: "Warning", reason: "DeploymentRollbackTemplateUnchanged", message };
  }
  const message = `Rolled back deployment "${name}" to revision ${revision}`;
  return { type: "Normal", reason: "DeploymentRollback", message };
}

/** The second highest revision. */
function lastRevision(all: readonly KubeObject[]): number {
  return Number(all.toSorted(byRevision).map(revisionOf).at(-2) ?? 0n);
}
