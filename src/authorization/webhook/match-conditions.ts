import { aggregateText } from "../../apimachinery/errors/aggregate.ts";
import { objectAt, structAt, textAt, textsAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { Release } from "../../apimachinery/release.ts";
import type { CompiledExpression } from "../../cel/compilation.ts";
import { compileCondition } from "../../cel/condition.ts";
import { kubernetesEnvironment } from "../../cel/kubernetes-environment.ts";
import { perCallLimit } from "../../cel/program/program.ts";
import { listType, mapType, objectType, types } from "../../cel/types/cel-type.ts";
import type { AuthorizationMetrics } from "../contract/authorization-metrics.ts";

/** Whether the spec of a review fulfills all conditions. @throws {MatchError} if none is false and some cannot be evaluated */
export type MatchConditions = (spec: JsonObject) => boolean;

/** Conditions could not be evaluated. The message names each. */
export class MatchError extends Error {}

/** A compiled condition. */
export interface MatchCondition {
  readonly expression: string;
  readonly compiled: CompiledExpression;
}

/**
 * Compiles a condition, or says why it cannot be used. Upstream: apiserver, pkg/authorization/cel/compile.go.
 */
export function matchCondition(
  expression: string,
  release: Release,
): MatchCondition | { readonly problem: string } {
  const compiled = compileCondition(expression, environmentOf(release));
  if ("problem" in compiled) return compiled;
  return { expression, compiled };
}

/** Evaluates conditions in order. Upstream: apiserver, pkg/authorization/cel/matcher.go. */
export function matchConditions(
  conditions: readonly MatchCondition[],
  name: string,
  metrics: AuthorizationMetrics,
): MatchConditions {
  const labels = `name="${name}",type="Webhook"`;
  return (spec) => {
    const request = requestOf(spec);
    const errors: string[] = [];
    let matches = true;
    for (const { expression, compiled } of conditions) {
      const outcome = compiled.program.evaluate({ request }, perCallLimit);
      if (outcome.error !== undefined) {
        errors.push(`cel evaluation error: expression '${expression}' resulted in error: ${outcome.error}`);
      } else if (outcome.value === false) {
        matches = false;
        break;
      }
    }
    if (errors.length > 0) metrics.count("match_condition_evaluation_errors_total", labels);
    if (!matches) metrics.count("match_condition_exclusions_total", labels);
    else if (errors.length > 0) throw new MatchError(aggregateText(errors));
    return matches;
  };
}

function environmentOf(release: Release): ReturnType<typeof kubernetesEnvironment> {
  return kubernetesEnvironment({ release, expressions: "stored", variables: [["request", requestType]] });
}

const texts = listType(types.string);
const selectorType = (name: string) =>
  objectType(name, {
    rawSelector: types.string,
    requirements: listType(
      objectType("kubernetes.SelectorRequirement", {
        key: types.string,
        operator: types.string,
        values: texts,
      }),
    ),
  });

/** The spec of a SubjectAccessReview of version v1. */
const requestType = objectType("kubernetes.SubjectAccessReviewSpec", {
  resourceAttributes: objectType("kubernetes.ResourceAttributes", {
    namespace: types.string,
    verb: types.string,
    group: types.string,
    version: types.string,
    resource: types.string,
    subresource: types.string,
    name: types.string,
    fieldSelector: selectorType("kubernetes.FieldSelectorAttributes"),
    labelSelector: selectorType("kubernetes.LabelSelectorAttributes"),
  }),
  nonResourceAttributes: objectType("kubernetes.NonResourceAttributes", {
    path: types.string,
    verb: types.string,
  }),
  user: types.string,
  groups: texts,
  extra: mapType(types.string, texts),
  uid: types.string,
});

const attributeNames = ["namespace", "verb", "group", "version", "resource", "subresource", "name"];

/** The spec as expressions see it: texts are there even if they are empty. */
function requestOf(spec: JsonObject): JsonObject {
  const resource = objectAt(spec, "resourceAttributes");
  const nonResource = objectAt(spec, "nonResourceAttributes");
  return {
    user: textAt(spec, "user"),
    groups: [...textsAt(spec, "groups"), ...textsAt(spec, "group")],
    uid: textAt(spec, "uid"),
    extra: structAt(spec, "extra"),
    ...(resource !== undefined && {
      resourceAttributes: {
        ...Object.fromEntries(attributeNames.map((name) => [name, textAt(resource, name)])),
        ...selectorsOf(resource),
      },
    }),
    ...(nonResource !== undefined && {
      nonResourceAttributes: { verb: textAt(nonResource, "verb"), path: textAt(nonResource, "path") },
    }),
  };
}

function selectorsOf({ fieldSelector, labelSelector }: JsonObject): JsonObject {
  return {
    ...(fieldSelector !== undefined && { fieldSelector }),
    ...(labelSelector !== undefined && { labelSelector }),
  };
}
