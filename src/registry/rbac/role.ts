import { type FieldError, fieldInvalid, fieldRequired } from "../../apimachinery/field.ts";
import { child, index } from "../../apimachinery/field-path.ts";
import { listAt, objectAt, sizeAt, textsAt } from "../../apimachinery/fields.ts";
import { go } from "../../apimachinery/go-value.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import { labelSelectorErrors } from "../../apimachinery/label-selector-object.ts";
import { pathSegmentName } from "../../apimachinery/names.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { metadataErrors, metadataUpdateErrors } from "../metadata-errors.ts";
import type { Strategy } from "../strategy.ts";

type Reach = "namespaced" | "everywhere";

const roleSelectors = "aggregationRule.clusterRoleSelectors";

/** Roles grant what their rules say, in their namespace. */
export function roleStrategy(base: Strategy): Strategy {
  return rules(base, "namespaced", (object) => ruleErrors(object, "namespaced"));
}

/** Cluster roles grant what their rules say, or what the roles they select say. */
export function clusterRoleStrategy(base: Strategy): Strategy {
  return rules(base, "everywhere", (object) => [
    ...ruleErrors(object, "everywhere"),
    ...aggregationErrors(object),
  ]);
}

function rules(base: Strategy, reach: Reach, validate: Strategy["validate"]): Strategy {
  return {
    ...base,
    validateName: pathSegmentName,
    metadataChecks: { create: "core", update: "own" },
    validate,
    validateUpdate: (object, old) => [
      ...metadataErrors(object, { namespaced: reach === "namespaced", validateName: pathSegmentName }),
      ...validate(object),
      ...metadataUpdateErrors(object, old),
    ],
  };
}

function ruleErrors(object: KubeObject, reach: Reach): FieldError[] {
  return listAt(object, "rules").flatMap((rule, i) => [
    ...verbErrors(rule, index("rules", i)),
    ...(sizeAt(rule, "nonResourceURLs") > 0
      ? urlErrors(rule, index("rules", i), reach)
      : resourceErrors(rule, index("rules", i))),
  ]);
}

function verbErrors(rule: JsonObject, at: string): FieldError[] {
  if (sizeAt(rule, "verbs") > 0) return [];
  return [fieldRequired(child(at, "verbs"), "verbs must contain at least one value")];
}

function urlErrors(rule: JsonObject, at: string, reach: Reach): FieldError[] {
  const field = child(at, "nonResourceURLs");
  const shown = go.stringSlice(textsAt(rule, "nonResourceURLs"));
  const hasResources = ["apiGroups", "resources", "resourceNames"].some((name) => sizeAt(rule, name) > 0);
  const details = [
    ...(reach === "namespaced" ? ["namespaced rules cannot apply to non-resource URLs"] : []),
    ...(hasResources ? ["rules cannot apply to both regular resources and non-resource URLs"] : []),
  ];
  return details.map((detail) => fieldInvalid(field, shown, detail));
}

function resourceErrors(rule: JsonObject, at: string): FieldError[] {
  const errors: FieldError[] = [];
  if (sizeAt(rule, "apiGroups") === 0) {
    errors.push(fieldRequired(child(at, "apiGroups"), "resource rules must supply at least one api group"));
  }
  if (sizeAt(rule, "resources") === 0) {
    errors.push(fieldRequired(child(at, "resources"), "resource rules must supply at least one resource"));
  }
  return errors;
}

function aggregationErrors(object: KubeObject): FieldError[] {
  const aggregation = objectAt(object, "aggregationRule");
  if (aggregation === undefined) return [];
  const selectors = listAt(aggregation, "clusterRoleSelectors");
  if (selectors.length === 0) {
    const detail = "at least one clusterRoleSelector required if aggregationRule is non-nil";
    return [fieldRequired(roleSelectors, detail)];
  }
  return selectors.flatMap((selector, i) => labelSelectorErrors(selector, index(roleSelectors, i)));
}
