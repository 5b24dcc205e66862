import type { JsonObject } from "../../apimachinery/json.ts";
import type { Since } from "../../apimachinery/release.ts";
import { parseFieldSelector } from "../../apimachinery/selectors/field-selector.ts";
import { parseLabelSelector } from "../../apimachinery/selectors/label-selector.ts";
import { sortedKeys } from "../../apimachinery/text-order.ts";
import type { UserInfo } from "../../apimachinery/user-info.ts";
import type { LabelOperator } from "../../apimachinery/validation/label-requirement.ts";
import type { ResourceRequestInfo } from "../../request/request-info.ts";
import type { AuthorizationAttributes } from "../contract/authorizer.ts";

/** What the spec of a review depends on. */
export interface SpecOptions {
  readonly version: "v1" | "v1beta1";
  /** The gate AuthorizeWithSelectors. */
  readonly hasSelectors: boolean;
  readonly since: Since;
}

/**
 * The spec of a SubjectAccessReview for a request, with its fields in upstream's order. Upstream: apiserver,
 * plugin/pkg/authorizer/webhook.
 */
export function reviewSpec({ user, info }: AuthorizationAttributes, options: SpecOptions): JsonObject {
  const attributes = info.isResourceRequest
    ? { resourceAttributes: resourceAttributesOf(info, options) }
    : { nonResourceAttributes: withoutEmpty({ path: info.path, verb: info.verb }) };
  return { ...attributes, ...subjectOf(user, options) };
}

function subjectOf({ name, uid, groups, extra }: UserInfo, { version }: SpecOptions): JsonObject {
  const keys = sortedKeys(extra);
  return {
    ...withoutEmpty({ user: name }),
    ...(groups.length > 0 && { [version === "v1" ? "groups" : "group"]: [...groups] }),
    ...(keys.length > 0 && { extra: Object.fromEntries(keys.map((key) => [key, [...(extra[key] ?? [])]])) }),
    ...withoutEmpty({ uid }),
  };
}

function resourceAttributesOf(info: ResourceRequestInfo, options: SpecOptions): JsonObject {
  const { namespace, verb, group, version, resource, subresource, name } = info;
  const plain = withoutEmpty({ namespace, verb, group, version, resource, subresource, name });
  if (!options.hasSelectors) return plain;
  const fields = fieldRequirements(info.fieldSelector);
  const labels = labelRequirements(info.labelSelector, options.since);
  return {
    ...plain,
    ...(fields.length > 0 && { fieldSelector: { requirements: [...fields] } }),
    ...(labels.length > 0 && { labelSelector: { requirements: [...labels] } }),
  };
}

function withoutEmpty(texts: { readonly [field: string]: string }): JsonObject {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ""));
}

function fieldRequirements(text: string): readonly JsonObject[] {
  return orNone(() =>
    parseFieldSelector(text).requirements.map(({ field, operator, value }) => ({
      ...withoutEmpty({ key: field }),
      operator: operator === "=" ? "In" : "NotIn",
      values: [value],
    })),
  );
}

function labelRequirements(text: string, since: Since): readonly JsonObject[] {
  return orNone(() =>
    parseLabelSelector(text, since).requirements.flatMap(({ key, operator, values }) => {
      const named = labelOperators[operator];
      return named === undefined
        ? []
        : [{ key, operator: named, ...(values.length > 0 && { values: [...values] }) }];
    }),
  );
}

/** Other operators have no name in a review, and are left out. */
const labelOperators: { readonly [operator in LabelOperator]?: string } = {
  "=": "In",
  "==": "In",
  in: "In",
  "!=": "NotIn",
  notin: "NotIn",
  exists: "Exists",
  "!": "DoesNotExist",
};

/** A selector that cannot be parsed is left out: without it, the request is broader. */
function orNone(parsed: () => readonly JsonObject[]): readonly JsonObject[] {
  try {
    return parsed();
  } catch {
    return [];
  }
}
