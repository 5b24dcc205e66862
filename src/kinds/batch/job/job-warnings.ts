import { numberAt, structAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { child } from "../../../apimachinery/validation/field-path.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { podTemplateWarnings } from "../../pod-spec/warnings/pod-warnings.ts";
import { isIndexed } from "./job-spec-validation.ts";

const manyCompletions = 100_000;
const manyPods = 10_000;

const largeJobWarning =
  "In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail";

/** The warnings for the spec of a Job, or of the Jobs of a CronJob. */
export function jobSpecWarnings(spec: JsonObject, path: string, gates: FeatureGates): readonly string[] {
  const isLarge = numberAt(spec, "completions") > manyCompletions && numberAt(spec, "parallelism") > manyPods;
  return [
    ...(isIndexed(spec) && isLarge ? [`${path}: ${largeJobWarning}`] : []),
    ...podTemplateWarnings(structAt(spec, "template"), child(path, "template"), gates),
  ];
}
