import { aggregateText } from "../../apimachinery/errors/aggregate.ts";
import { ConfigurationError } from "../../apimachinery/errors/configuration-error.ts";
import { plainError } from "../../apimachinery/errors/errors.ts";
import { type FieldCause, fieldRequired, formatFieldError } from "../../apimachinery/errors/field.ts";
import { listAt, textAt, textsAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { QuotaEvaluator, ScopeRequirement } from "../../registry/contract/quota-evaluator.ts";
import type { AdmissionAttributes } from "../contract/admission.ts";
import { refused } from "../contract/attributes.ts";
import { requirementsIn, scopeRequirements } from "./scopes.ts";
import { usageOf } from "./usage.ts";

/** An object that may need quotas, and those of its namespace. */
export interface CoverageRequest {
  readonly attributes: AdmissionAttributes;
  readonly object: KubeObject;
  readonly evaluator: QuotaEvaluator | undefined;
  readonly quotas: readonly KubeObject[];
  /** The resources that the quotas which apply to the object limit. */
  readonly restricted: ReadonlySet<string>;
}

/** @throws {StatusError} for an object that uses what only a quota allows, if no quota covers it */
export type CheckCoverage = (request: CoverageRequest) => void;

/**
 * Reads the resources that cannot be used without a quota. Upstream: apiserver, pkg/admission/plugin/resourcequota.
 * @throws {ConfigurationError}
 */
export function limitedResources(configuration: JsonObject): CheckCoverage {
  const limits = listAt(configuration, "limitedResources");
  const errors: FieldCause[] = [];
  for (const [i, limit] of limits.entries()) {
    if (textAt(limit, "resource") === "") errors.push(fieldRequired(`limitedResources[${i}].resource`, ""));
  }
  if (errors.length > 0) {
    const problem = aggregateText(errors.map(formatFieldError));
    throw new ConfigurationError(`couldn't init admission plugin "ResourceQuota": ${problem}`);
  }
  return (request) => {
    checkNames(limits, request);
    checkScopes(limits, request);
  };
}

/** Upstream: controller.go, limitedByDefault. @throws {StatusError} forbidden */
function checkNames(
  limits: readonly JsonObject[],
  { attributes, object, evaluator, restricted }: CoverageRequest,
): void {
  const { gvr } = attributes;
  const parts = limits
    .filter((limit) => textAt(limit, "apiGroup") === gvr.group && textAt(limit, "resource") === gvr.resource)
    .flatMap((limit) => textsAt(limit, "matchContains"));
  if (parts.length === 0) return;
  const uncovered = [...usageOf(gvr, evaluator, object)]
    .filter(([name, amount]) => amount.sign > 0 && parts.some((part) => name.includes(part)))
    .map(([name]) => name)
    .filter((name) => !restricted.has(name));
  if (uncovered.length === 0) return;
  throw refused(attributes, `insufficient quota to consume: ${uncovered.sort().join(",")}`);
}

/** The scopes of a limit count for every resource. Upstream: controller.go, getMatchedLimitedScopes. @throws {StatusError} */
function checkScopes(limits: readonly JsonObject[], { object, evaluator, quotas }: CoverageRequest): void {
  const matches = (requirement: ScopeRequirement) => evaluator?.matchesScope?.(object, requirement) ?? false;
  const limited = limits.flatMap((limit) => requirementsIn(listAt(limit, "matchScopes"))).filter(matches);
  if (limited.length === 0) return;
  const covered = new Set(
    quotas.flatMap((quota) => scopeRequirements(quota).filter(matches)).map(({ scope }) => scope),
  );
  const uncovered = limited.filter(({ scope }) => !covered.has(scope));
  if (uncovered.length === 0) return;
  const shown = uncovered.map(
    ({ scope, operator, values }) => `{${scope} ${operator} [${values.join(" ")}]}`,
  );
  throw plainError(500, `insufficient quota to match these scopes: [${shown.join(" ")}]`);
}
