import { listAt, objectAt, structAt, textAt, textsAt } from "../../apimachinery/fields.ts";
import {
  formatGroupVersionKind,
  type GroupVersionKind,
  parseGroupVersion,
} from "../../apimachinery/group-version.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { Release } from "../../apimachinery/release.ts";
import { compareText } from "../../apimachinery/text-order.ts";
import { index } from "../../apimachinery/validation/field-path.ts";
import { admissionEnvironment } from "../../cel/admission-environment.ts";
import { checkTypes } from "../../cel/compilation.ts";
import { Composition } from "../../cel/composition.ts";
import type { CelType } from "../../cel/types/cel-type.ts";
import { objectCelType } from "../../schema/object-cel-type.ts";
import type { ApiView } from "../../served/api-view.ts";

/** Upstream checks the expressions of a policy against at most this many kinds. */
const maxKinds = 10;

/** What is wrong with an expression for the kinds that the policy selects. */
export type ExpressionWarning = {
  readonly fieldRef: string;
  readonly warning: string;
};

/** A kind, and the type of its objects. */
interface CheckedKind {
  readonly gvk: GroupVersionKind;
  readonly type: CelType;
}

/**
 * Checks the validations and the computed messages of a policy against the types of the objects that it selects. Upstream: apiserver,
 * plugin/policy/validating/typechecking.go.
 */
export function expressionWarnings(
  policy: KubeObject,
  view: ApiView,
  release: Release,
): readonly ExpressionWarning[] {
  const spec = structAt(policy, "spec");
  const kinds = kindsOf(spec, view);
  const paramsType = paramsTypeOf(objectAt(spec, "paramKind"), view);
  const variables = listAt(spec, "variables");
  const warnings: ExpressionWarning[] = [];
  const check = (expression: string, fieldRef: string): void => {
    const problems = kinds.flatMap(({ gvk, type }) => {
      const problem = problemOf(expression, { objectType: type, paramsType, variables, release });
      return problem === undefined ? [] : `${formatGroupVersionKind(gvk)}: ${problem}\n`;
    });
    if (problems.length > 0) warnings.push({ fieldRef, warning: problems.join("\n") });
  };
  for (const [i, validation] of listAt(spec, "validations").entries()) {
    const field = index("spec.validations", i);
    const message = textAt(validation, "messageExpression");
    check(textAt(validation, "expression"), `${field}.expression`);
    if (message !== "") check(message, `${field}.messageExpression`);
  }
  return warnings;
}

/** What an expression is checked against. */
interface CheckedTypes {
  readonly objectType: CelType;
  /** Undefined if the policy has no parameters, or none of a known kind. */
  readonly paramsType: CelType | undefined;
  readonly variables: readonly JsonObject[];
  readonly release: Release;
}

function problemOf(
  expression: string,
  { objectType, paramsType, variables, release }: CheckedTypes,
): string | undefined {
  const composition = new Composition();
  const environment = admissionEnvironment({
    release,
    expressions: "stored",
    objectType,
    hasParams: paramsType !== undefined,
    ...(paramsType !== undefined && { paramsType }),
    hasRequestResource: false,
    variables: [["variables", composition.type]],
  });
  for (const variable of variables) {
    const checked = checkTypes(textAt(variable, "expression"), environment);
    composition.declare(textAt(variable, "name"), "message" in checked ? undefined : checked.type);
  }
  const checked = checkTypes(expression, environment);
  return "message" in checked ? checked.message : undefined;
}

function paramsTypeOf(paramKind: JsonObject | undefined, view: ApiView): CelType | undefined {
  if (paramKind === undefined) return undefined;
  const gv = parseGroupVersion(textAt(paramKind, "apiVersion"));
  return gv && typeOf({ ...gv, kind: textAt(paramKind, "kind") }, view);
}

function typeOf(gvk: GroupVersionKind, view: ApiView): CelType | undefined {
  const schema = view.kind(gvk);
  return schema && objectCelType(schema, gvk.kind);
}

/** The kinds that the rules of a policy name, in order. Kinds whose schema is not known are not checked. */
function kindsOf(spec: JsonObject, view: ApiView): readonly CheckedKind[] {
  const found = new Map<string, GroupVersionKind>();
  for (const rule of listAt(spec, "matchConstraints", "resourceRules")) {
    if (addKinds(found, rule, view) === maxKinds) break;
  }
  return [...found.values()].sort(compareKinds).flatMap((gvk) => {
    const type = typeOf(gvk, view);
    return type === undefined ? [] : { gvk, type };
  });
}

/** Adds the kinds that a rule names, up to the most; the number of them. Wildcards and subresources name none. */
function addKinds(found: Map<string, GroupVersionKind>, rule: JsonObject, view: ApiView): number {
  const groups = textsAt(rule, "apiGroups");
  const versions = textsAt(rule, "apiVersions");
  if ([...groups, ...versions].some((name) => name.includes("*"))) return 0;
  const resources = textsAt(rule, "resources").filter((name) => !/[*/]/.test(name));
  let count = 0;
  for (const group of [...groups].sort(compareText)) {
    for (const version of [...versions].sort(compareText)) {
      for (const resource of [...resources].sort(compareText)) {
        for (const gvk of mappedKinds(group, version, resource.toLowerCase(), view)) {
          found.set(formatGroupVersionKind(gvk), gvk);
          count += 1;
          if (count === maxKinds) return count;
        }
      }
    }
  }
  return count;
}

/** The empty group means any group: upstream's RESTMapper takes it for a missing one. */
function mappedKinds(
  group: string,
  version: string,
  resource: string,
  view: ApiView,
): readonly GroupVersionKind[] {
  return view
    .groupVersions()
    .filter((gv) => gv.version === version && (group === "" || gv.group === group))
    .flatMap((gv) =>
      view
        .resources(gv)
        .filter(({ resource: plural, singular }) => plural === resource || singular === resource)
        .map(({ kind }) => ({ group: gv.group, version, kind })),
    );
}

function compareKinds(a: GroupVersionKind, b: GroupVersionKind): number {
  return compareText(a.group, b.group) || compareText(a.version, b.version) || compareText(a.kind, b.kind);
}
