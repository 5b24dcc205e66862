import { listAt, numberAt, objectAt, textAt } from "../../../apimachinery/fields.ts";
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type MutableJsonObject,
} from "../../../apimachinery/json.ts";

/**
 * A behavior as upstream writes its internal type into an annotation: with Go's field names, and null for unset
 * fields.
 */
export function goBehavior(behavior: JsonObject): JsonObject {
  return { ScaleUp: goRules(behavior, "scaleUp"), ScaleDown: goRules(behavior, "scaleDown") };
}

/** The behavior in such an annotation, whose field names are case-insensitive in Go; undefined if it is empty. */
export function behaviorFromGo(value: JsonValue): JsonObject | undefined {
  if (!isJsonObject(value)) return undefined;
  const behavior: MutableJsonObject = {};
  for (const direction of ["scaleUp", "scaleDown"]) {
    const rules = inLowerCase(value)[direction.toLowerCase()];
    if (isJsonObject(rules)) behavior[direction] = rulesFromGo(rules);
  }
  return Object.keys(behavior).length === 0 ? undefined : behavior;
}

function goRules(behavior: JsonObject, direction: string): JsonObject | null {
  const rules = objectAt(behavior, direction);
  if (rules === undefined) return null;
  const policies = listAt(rules, "policies");
  return {
    StabilizationWindowSeconds: rules["stabilizationWindowSeconds"] ?? null,
    SelectPolicy: rules["selectPolicy"] ?? null,
    Policies: policies.length === 0 ? null : policies.map(goPolicy),
  };
}

function goPolicy(policy: JsonObject): JsonObject {
  return {
    Type: textAt(policy, "type"),
    Value: numberAt(policy, "value"),
    PeriodSeconds: numberAt(policy, "periodSeconds"),
  };
}

function rulesFromGo(rules: JsonObject): JsonObject {
  const { stabilizationwindowseconds: window, selectpolicy: selectPolicy, policies } = inLowerCase(rules);
  return {
    ...(typeof window === "number" && { stabilizationWindowSeconds: window }),
    ...(typeof selectPolicy === "string" && { selectPolicy }),
    ...(Array.isArray(policies) && { policies: policies.filter(isJsonObject).map(policyFromGo) }),
  };
}

function policyFromGo(policy: JsonObject): JsonObject {
  const fields = inLowerCase(policy);
  return {
    type: textAt(fields, "type"),
    value: numberAt(fields, "value"),
    periodSeconds: numberAt(fields, "periodseconds"),
  };
}

function inLowerCase(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name.toLowerCase(), value]));
}
