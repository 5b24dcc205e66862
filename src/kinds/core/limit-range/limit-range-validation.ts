import {
  type FieldError,
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
export function limitRangeErrors(object: KubeObject): FieldError[] {
  const seen = new Set<string>();
  return listAt(object, "spec", "limits").flatMap((limit, i) => {
    const at = index("spec.limits", i);
    const type = textAt(limit, "type");
    const isTaken = seen.has(type);
    seen.add(type);
    return [
      ...typeErrors(type, child(at, "type")),
      ...(isTaken ? [fieldDuplicate(child(at, "type"), type)] : []),
      ...limitErrors(limit, type, at),
    ];
  });
}

function typeErrors(type: string, field: string): FieldError[] {
  const messages = qualifiedNameMessages(type);
  if (messages.length === 0 && !type.includes("/") && !types.has(type)) {
    return [fieldInvalid(field, type, "must be a standard limit type or fully qualified")];
  }
  return messages.map((message) => fieldInvalid(field, type, message));
}

function limitErrors(limit: JsonObject, type: string, at: string): FieldError[] {
  const isPod = type === "Pod";
  const lists = isPod ? ["max", "min"] : ["max", "min", "default", "defaultRequest"];
  const checked = [...lists, "maxLimitRequestRatio"];
  return [
    ...lists.flatMap((list) => nameErrors(limit, list, type, at)),
    ...(isPod ? ["default", "defaultRequest"].flatMap((list) => podDefaultErrors(limit, list, at)) : []),
    ...claimErrors(limit, type, at),
    ...nameErrors(limit, "maxLimitRequestRatio", type, at),
    ...namesIn(limit, checked).flatMap((name) => amountErrors(amountsOf(limit, lists, name), name, at)),
  ];
}

function nameErrors(limit: JsonObject, list: string, type: string, at: string): FieldError[] {
  const add = type === "Pod" || type === "Container" ? addContainerResourceName : addResourceName;
  const errors: FieldError[] = [];
  for (const name of Object.keys(objectAt(limit, list) ?? {})) add(errors, name, key(child(at, list), name));
  return errors;
}

function podDefaultErrors(limit: JsonObject, list: string, at: string): FieldError[] {
  if (sizeAt(limit, list) === 0) return [];
  return [fieldForbidden(child(at, list), "may not be specified when `type` is 'Pod'")];
}

function claimErrors(limit: JsonObject, type: string, at: string): FieldError[] {
  if (type !== "PersistentVolumeClaim") return [];
  if (textAt(limit, "min", "storage") || textAt(limit, "max", "storage")) return [];
  const detail = "either minimum or maximum storage value is required, but neither was provided";
  return [fieldRequired(child(at, "limits"), detail)];
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
function amountErrors({ min, max, limit, request, ratio }: Amounts, name: string, at: string): FieldError[] {
  const [forMin, forRequest, forLimit] = ["min", "defaultRequest", "default"].map((list) =>
    key(child(at, list), name),
  );
  return [
    ...exceeding(min, max, forMin, min, "min value", "max value"),
    ...exceeding(min, request, forRequest, request, "min value", "default request value"),
    ...exceeding(request, max, forRequest, request, "default request value", "max value"),
    ...exceeding(request, limit, forRequest, request, "default request value", "default limit value"),
    ...exceeding(min, limit, forLimit, min, "min value", "default value"),
    ...exceeding(limit, max, forLimit, max, "default value", "max value"),
    ...ratioErrors(ratio, min, max, key(child(at, "maxLimitRequestRatio"), name)),
    ...overcommitErrors(limit, request, name, forRequest),
  ];
}

function exceeding(
  low: Quantity | undefined,
  high: Quantity | undefined,
  field: string | undefined,
  shown: Quantity | undefined,
  lowName: string,
  highName: string,
): FieldError[] {
  if (low === undefined || high === undefined || low.compare(high) <= 0) return [];
  const detail = `${lowName} ${low} is greater than ${highName} ${high}`;
  return [fieldInvalid(field ?? "", shownAmount(shown), detail)];
}

function ratioErrors(
  ratio: Quantity | undefined,
  min: Quantity | undefined,
  max: Quantity | undefined,
  field: string,
): FieldError[] {
  if (ratio === undefined) return [];
  const errors: FieldError[] = [];
  if (ratio.compare(one) < 0) {
    errors.push(fieldInvalid(field, shownAmount(ratio), `ratio ${ratio} is less than 1`));
  }
  if (min === undefined || max === undefined) return errors;
  const isPrecise = [ratio, min, max].every((amount) => amount.scaledValue(0) < maxMilliValue);
  const scale = isPrecise ? -3 : 0;
  const asked = Number(ratio.scaledValue(scale)) / (isPrecise ? 1000 : 1);
  const possible = Number(max.scaledValue(scale)) / Number(min.scaledValue(scale));
  if (asked <= possible || Number.isNaN(possible)) return errors;
  const detail = `ratio ${ratio} is greater than max/min = ${possible.toFixed(6)}`;
  return [...errors, fieldInvalid(field, shownAmount(ratio), detail)];
}

function overcommitErrors(
  limit: Quantity | undefined,
  request: Quantity | undefined,
  name: string,
  field: string | undefined,
): FieldError[] {
  if (limit === undefined || request === undefined || allowsOvercommit(name)) return [];
  if (limit.compare(request) === 0) return [];
  const detail = `default value ${limit} must equal to defaultRequest value ${request} in ${name}`;
  return [fieldInvalid(field ?? "", shownAmount(request), detail)];
}

function shownAmount(amount: Quantity | undefined): ReturnType<typeof typedValue> {
  return typedValue("resource.Quantity", amount?.toString());
}
