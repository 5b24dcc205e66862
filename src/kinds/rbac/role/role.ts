import { type FieldError, fieldInvalid, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { listAt, objectAt, sizeAt, textsAt } from "../../../apimachinery/fields.ts";
import { go } from "../../../apimachinery/go/go-value.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { labelSelectorErrors } from "../../../apimachinery/selectors/label-selector-object.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import { pathSegmentName } from "../../../apimachinery/validation/names.ts";
import { metadataErrors, metadataUpdateErrors } from "../../../registry/contract/metadata-errors.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { addSelector } from "../../findings/findings.ts";

type Reachability = "namespaced" | "everywhere";

const roleSelectors = "aggregationRule.clusterRoleSelectors";

/** Roles grant what their rules say, in their namespace. */
export function roleStrategy(base: Strategy): Strategy {
  return rules(base, "namespaced", (object) => ruleErrors(object, "namespaced"));
}

/** Cluster roles grant what their rules say, or what the roles they select say. */
export function clusterRoleStrategy(base: Strategy): Strategy {
  return rules(base, "everywhere", clusterRoleErrors);
}

/** What is wrong with a role, which may keep what the old one had. */
type RoleCheck = (object: KubeObject, old?: KubeObject) => readonly FieldError[];

/** Upstream looks twice at a whole role that has changed. */
function rules(base: Strategy, reach: Reachability, check: RoleCheck): Strategy {
  const metadataRules = { namespaced: reach === "namespaced", validateName: pathSegmentName };
  return {
    ...base,
    validateName: pathSegmentName,
    metadataChecks: { create: "core", update: "own" },
    validate: (object) => check(object),
    validateUpdate: (object, old) => {
      const once = [...metadataErrors(object, metadataRules), ...check(object, old)];
      return [...once, ...once, ...metadataUpdateErrors(object, old)];
    },
  };
}

/** What is wrong with a cluster role; labels that none can have may stay in its selectors. */
export function clusterRoleErrors(object: KubeObject, old?: KubeObject): readonly FieldError[] {
  const allowsInvalidValues = selectorsOf(old).some(
    (selector) => labelSelectorErrors(selector, "").length > 0,
  );
  return [...ruleErrors(object, "everywhere"), ...aggregationErrors(object, allowsInvalidValues)];
}

function ruleErrors(object: KubeObject, reach: Reachability): FieldError[] {
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

function urlErrors(rule: JsonObject, at: string, reach: Reachability): FieldError[] {
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

function aggregationErrors(object: KubeObject, allowsInvalidValues: boolean): readonly FieldError[] {
  if (objectAt(object, "aggregationRule") === undefined) return [];
  const selectors = selectorsOf(object);
  if (selectors.length === 0) {
    const detail = "at least one clusterRoleSelector required if aggregationRule is non-nil";
    return [fieldRequired(roleSelectors, detail)];
  }
  const errors: FieldError[] = [];
  for (const [i, selector] of selectors.entries()) {
    addSelector(errors, selector, index(roleSelectors, i), allowsInvalidValues);
  }
  return errors;
}

function selectorsOf(object: KubeObject | undefined): readonly JsonObject[] {
  return listAt(object ?? {}, "aggregationRule", "clusterRoleSelectors");
}
