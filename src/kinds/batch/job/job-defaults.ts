import type { MutableJsonObject } from "../../../apimachinery/json.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import {
  all,
  type Defaulter,
  each,
  ifSet,
  inStruct,
  isZero,
  sentStruct,
  whenUnset,
  whenZero,
} from "../../defaulting/defaulter.ts";
import { podTemplateDefaults } from "../../pod-spec/defaults/pod-spec-defaults.ts";

/** The largest int32, which means that there is no limit. */
const unlimited = 2 ** 31 - 1;

/** The pod failure policy in the spec of a Job. */
export const podFailurePolicyDefaults: Defaulter = ifSet(
  "podFailurePolicy",
  each("rules", each("onPodConditions", whenZero({ status: "True" }))),
);

/** Job. Upstream: pkg/apis/batch/v1/defaults.go, SetDefaults_Job. */
export function jobDefaults(job: MutableJsonObject, gates: FeatureGates): void {
  defaultsOfAllReleases(job);
  for (const [gate, fill] of gatedDefaults) if (gates.isEnabled(gate)) fill(job);
}

/** The defaults that a gate brought, with that gate. */
const gatedDefaults: readonly (readonly [gate: string, fill: Defaulter])[] = [
  ["IndexedJob", inStruct("spec", whenUnset({ completionMode: "NonIndexed" }))],
  ["SuspendJob", inStruct("spec", whenUnset({ suspend: false }))],
  ["JobPodReplacementPolicy", inStruct("spec", podReplacementDefaults)],
];

const defaultsOfAllReleases: Defaulter = all(
  labelsOfTemplate,
  inStruct(
    "spec",
    podCountDefaults,
    whenUnset({ manualSelector: false }),
    podFailurePolicyDefaults,
    podTemplateDefaults,
  ),
);

/**
 * One pod that succeeds once. With `parallelism` alone, `completions` stays unset: the first success ends the Job.
 */
function podCountDefaults(spec: MutableJsonObject): void {
  if (spec["parallelism"] === undefined) spec["completions"] ??= 1;
  spec["parallelism"] ??= 1;
  spec["backoffLimit"] ??= spec["backoffLimitPerIndex"] === undefined ? 6 : unlimited;
}

function podReplacementDefaults(spec: MutableJsonObject): void {
  spec["podReplacementPolicy"] ??= spec["podFailurePolicy"] === undefined ? "TerminatingOrFailed" : "Failed";
}

/**
 * A Job without labels shares those of its pod template, as maps are shared in Go: labels that the strategy adds to
 * them later appear in both.
 */
function labelsOfTemplate(job: MutableJsonObject): void {
  const spec = sentStruct(job, "spec");
  const template = spec && sentStruct(spec, "template");
  const templateMetadata = template && sentStruct(template, "metadata");
  const labels = templateMetadata && sentStruct(templateMetadata, "labels");
  if (labels === undefined) return;
  const metadata = sentStruct(job, "metadata") ?? {};
  if (isZero(metadata["labels"])) metadata["labels"] = labels;
  job["metadata"] = metadata;
}
