import { listAt, structAt, textAt, textsAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { isTerminating } from "../contract/object-key.ts";
import { type PodManifest, podFromTemplate } from "../pods/pod-control.ts";
import { trackingFinalizer, tracksPods } from "./job-tracking.ts";

const indexKey = "batch.kubernetes.io/job-completion-index";
const failuresKey = "batch.kubernetes.io/job-index-failure-count";
const ignoredKey = "batch.kubernetes.io/job-index-ignored-failure-count";
const longestGenerateName = 58;

/** The completion index of a pod; undefined for a pod without a valid one. */
export function indexOf({ metadata }: KubeObject): number | undefined {
  const text = metadata.annotations?.[indexKey] ?? "";
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

/** How often the pods of an index failed before this one. */
export function indexFailures({ metadata }: KubeObject): number {
  return Number(metadata.annotations?.[failuresKey] ?? 0);
}

/** The same, with the failures that the pod failure policy ignores. */
export function allIndexFailures(pod: KubeObject): number {
  return indexFailures(pod) + Number(pod.metadata.annotations?.[ignoredKey] ?? 0);
}

/** Whether a Job waits for the end of its pods before it replaces them. */
export function replacesOnlyFailed(job: KubeObject): boolean {
  const hasPolicy = structAt(job, "spec")["podFailurePolicy"] !== undefined;
  return hasPolicy || textAt(job, "spec", "podReplacementPolicy") === "Failed";
}

/** Whether a pod counts as failed: deleted pods may never get the phase. Upstream: `isPodFailed` (pkg/controller/job/job_controller.go). */
export function isPodFailed(pod: KubeObject, job: KubeObject): boolean {
  const phase = textAt(pod, "status", "phase");
  if (phase === "Failed") return true;
  return !replacesOnlyFailed(job) && isTerminating(pod) && phase !== "Succeeded";
}

/** What a new pod of an index replaces. */
export interface Replaced {
  readonly pod: KubeObject;
  /** Whether its failure counts toward the limit of the index. */
  readonly counts: boolean;
}

/** The pod of a Job without indexes. */
export function jobPod(job: KubeObject, gates: FeatureGates): PodManifest {
  const pod = podFromTemplate(structAt(job, "spec", "template"), job);
  if (!tracksPods(job, gates)) return pod;
  const others = textsAt(pod.metadata, "finalizers").filter((one) => one !== trackingFinalizer);
  return { ...pod, metadata: { ...pod.metadata, finalizers: [...others, trackingFinalizer] } };
}

/** The pod of an index. Upstream: `manageJob`, `addCompletionIndexEnvVariables` and `podGenerateNameWithIndex`. */
export function indexedPod(
  job: KubeObject,
  index: number,
  replaced: Replaced | undefined,
  gates: FeatureGates,
): PodManifest {
  const pod = jobPod(job, gates);
  const { name = "" } = job.metadata;
  const suffix = `-${index}-`;
  const hasName = gates.since("1.22");
  const hasLabel = gates.since("1.28");
  const counts = hasLimitPerIndex(job) ? failureCounts(replaced) : {};
  const field = hasLabel ? "labels" : "annotations";
  const variable = {
    name: "JOB_COMPLETION_INDEX",
    valueFrom: { fieldRef: { fieldPath: `metadata.${field}['${indexKey}']` } },
  };
  const withVariable = (container: JsonObject) => {
    const env = listAt(container, "env");
    return env.some((one) => one["name"] === variable.name)
      ? container
      : { ...container, env: [...env, variable] };
  };
  const lists = ["initContainers", "containers"].filter((list) => pod.spec[list] !== undefined);
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      ...(hasName && { generateName: name.slice(0, longestGenerateName - suffix.length) + suffix }),
      annotations: { ...structAt(pod.metadata, "annotations"), [indexKey]: String(index), ...counts },
      labels: { ...pod.metadata.labels, ...(hasLabel && { [indexKey]: String(index) }) },
    },
    spec: {
      ...pod.spec,
      ...Object.fromEntries(lists.map((list) => [list, listAt(pod.spec, list).map(withVariable)])),
      ...(hasName && { hostname: `${name}-${index}` }),
    },
  };
}

export function hasLimitPerIndex(job: KubeObject): boolean {
  return typeof structAt(job, "spec")["backoffLimitPerIndex"] === "number";
}

function failureCounts(replaced: Replaced | undefined): { readonly [key: string]: string } {
  if (replaced === undefined) return { [failuresKey]: "0" };
  const { pod, counts } = replaced;
  const ignored = allIndexFailures(pod) - indexFailures(pod) + (counts ? 0 : 1);
  return {
    [failuresKey]: String(indexFailures(pod) + (counts ? 1 : 0)),
    ...(ignored > 0 && { [ignoredKey]: String(ignored) }),
  };
}
