import {
  fieldDuplicate,
  fieldForbidden,
  fieldInvalid,
  fieldRequired,
} from "../../../apimachinery/errors/field.ts";
import { listAt, objectAt, sizeAt, textAt } from "../../../apimachinery/fields.ts";
import { typedValue } from "../../../apimachinery/go/go-value.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { parseQuantity, type Quantity } from "../../../apimachinery/quantity.ts";
import { compareText } from "../../../apimachinery/text-order.ts";
import { child, index, key } from "../../../apimachinery/validation/field-path.ts";
import { addInvalid, type Findings } from "../../../apimachinery/validation/findings.ts";
import { qualifiedNameMessages } from "../../../apimachinery/validation/qualified-names.ts";
import {
  addContainerResourceName,
  addResourceName,
  allowsOvercommit,
} from "../../quantities/resource-names.ts";

const types: ReadonlySet<string> = new Set(["Pod", "Container", "PersistentVolumeClaim"]);
const maxMilliValue = (2n ** 63n - 1n) / 1000n;
const one = parseQuantity("1");

/** Validates a limit range. Upstream: pkg/apis/core/validation/validation.go, ValidateLimitRange. */
export function addLimitRangeErrors(errors: Findings, object: KubeObject): void {
  const seen = new Set<string>();
  for (const [i, limit] of listAt(object, "spec", "limits").entries()) {
    const at = index("spec.limits", i);
    const type = textAt(limit, "type");
    const isTaken = seen.has(type);
    seen.add(type);
    addTypeErrors(errors, type, child(at, "type"));
    if (isTaken) errors.push(fieldDuplicate(child(at, "type"), type));
    addLimitErrors(errors, limit, type, at);
  }
}

function addTypeErrors(errors: Findings, type: string, field: string): void {
  const messages = qualifiedNameMessages(type);
  if (messages.length === 0 && !type.includes("/") && !types.has(type)) {
    errors.push(fieldInvalid(field, type, "must be a standard limit type or fully qualified"));
  } else addInvalid(errors, field, type, messages);
}

function addLimitErrors(errors: Findings, limit: JsonObject, type: string, at: string): void {
  const isPod = type === "Pod";
  const lists = isPod ? ["max", "min"] : ["max", "min", "default", "defaultRequest"];
  const checked = [...lists, "maxLimitRequestRatio"];
  for (const list of lists) addNameErrors(errors, limit, list, type, at);
  if (isPod) {
    for (const list of ["default", "defaultRequest"]) addPodDefaultErrors(errors, limit, list, at);
  }
  addClaimErrors(errors, limit, type, at);
  addNameErrors(errors, limit, "maxLimitRequestRatio", type, at);
  for (const name of namesIn(limit, checked)) {
    addAmountErrors(errors, amountsOf(limit, lists, name), name, at);
  }
}

function addNameErrors(errors: Findings, limit: JsonObject, list: string, type: string, at: string): void {
  const add = type === "Pod" || type === "Container" ? addContainerResourceName : addResourceName;
  for (const name of Object.keys(objectAt(limit, list) ?? {})) add(errors, name, key(child(at, list), name));
}

function addPodDefaultErrors(errors: Findings, limit: JsonObject, list: string, at: string): void {
  if (sizeAt(limit, list) === 0) return;
  errors.push(fieldForbidden(child(at, list), "may not be specified when `type` is 'Pod'"));
}

function addClaimErrors(errors: Findings, limit: JsonObject, type: string, at: string): void {
  if (type !== "PersistentVolumeClaim") return;
  if (textAt(limit, "min", "storage") || textAt(limit, "max", "storage")) return;
  const detail = "either minimum or maximum storage value is required, but neither was provided";
  errors.push(fieldRequired(child(at, "limits"), detail));
}

function namesIn(limit: JsonObject, lists: readonly string[]): readonly string[] {
  const names = lists.flatMap((list) => Object.keys(objectAt(limit, list) ?? {}));
  return [...new Set(names)].sort(compareText);
}

interface Amounts {
  readonly min: Quantity | undefined;
  readonly max: Quantity | undefined;
  readonly limit: Quantity | undefined;
  readonly request: Quantity | undefined;
  readonly ratio: Quantity | undefined;
}

function amountsOf(limit: JsonObject, lists: readonly string[], name: string): Amounts {
  const amount = (list: string): Quantity | undefined => {
    const text = textAt(limit, list, name);
    return text === "" ? undefined : parseQuantity(text);
  };
  const [limits, requests] = ["default", "defaultRequest"].map((list) =>
    lists.includes(list) ? amount(list) : undefined,
  );
  return {
    min: amount("min"),
    max: amount("max"),
    limit: limits,
    request: requests,
    ratio: amount("maxLimitRequestRatio"),
  };
}

/**
 * Checks the order of each pair of amounts. The amount that upstream shows is not always the one that the path names.
 */
function addAmountErrors(
  errors: Findings,
  { min, max, limit, request, ratio }: Amounts,
  name: string,
  at: string,
): void {
  const [forMin, forRequest, forLimit] = ["min", "defaultRequest", "default"].map((list) =>
    key(child(at, list), name),
  );
  addExceeding(errors, min, max, forMin, min, "min value", "max value");
  addExceeding(errors, min, request, forRequest, request, "min value", "default request value");
  addExceeding(errors, request, max, forRequest, request, "default request value", "max value");
  addExceeding(errors, request, limit, forRequest, request, "default request value", "default limit value");
  addExceeding(errors, min, limit, forLimit, min, "min value", "default value");
  addExceeding(errors, limit, max, forLimit, max, "default value", "max value");
  addRatioErrors(errors, ratio, min, max, key(child(at, "maxLimitRequestRatio"), name));
  addOvercommitErrors(errors, limit, request, name, forRequest);
}

function addExceeding(
  errors: Findings,
  low: Quantity | undefined,
  high: Quantity | undefined,
  field: string | undefined,
  shown: Quantity | undefined,
  lowName: string,
  highName: string,
): void {
  if (low === undefined || high === undefined || low.compare(high) <= 0) return;
  const detail = `${lowName} ${low} is greater than ${highName} ${high}`;
  errors.push(fieldInvalid(field ?? "", shownAmount(shown), detail));
}

function addRatioErrors(
  errors: Findings,
  ratio: Quantity | undefined,
  min: Quantity | undefined,
  max: Quantity | undefined,
  field: string,
): void {
  if (ratio === undefined) return;
  if (ratio.compare(one) < 0) {
    errors.push(fieldInvalid(field, shownAmount(ratio), `ratio ${ratio} is less than 1`));
  }
  if (min === undefined || max === undefined) return;
  const isPrecise = [ratio, min, max].every((amount) => amount.scaledValue(0) < maxMilliValue);
  const scale = isPrecise ? -3 : 0;
  const asked = Number(ratio.scaledValue(scale)) / (isPrecise ? 1000 : 1);
  const possible = Number(max.scaledValue(scale)) / Number(min.scaledValue(scale));
  if (asked <= possible || Number.isNaN(possible)) return;
  const detail = `ratio ${ratio} is greater than max/min = ${possible.toFixed(6)}`;
  errors.push(fieldInvalid(field, shownAmount(ratio), detail));
}

function addOvercommitErrors(
  errors: Findings,
  limit: Quantity | undefined,
  request: Quantity | undefined,
  name: string,
  field: string | undefined,
): void {
  if (limit === undefined || request === undefined || allowsOvercommit(name)) return;
  if (limit.compare(request) === 0) return;
  const detail = `default value ${limit} must equal to defaultRequest value ${request} in ${name}`;
  errors.push(fieldInvalid(field ?? "", shownAmount(request), detail));
}

/** The details of all these errors format the amount that they show. */
function shownAmount(amount: Quantity | undefined): ReturnType<typeof typedValue> {
  return typedValue("formatted resource.Quantity", amount?.toString());
}
