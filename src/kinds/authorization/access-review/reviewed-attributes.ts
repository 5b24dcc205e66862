import { StatusError } from "../../../apimachinery/errors/errors.ts";
import { listAt, objectAt, textAt, textsAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { Since } from "../../../apimachinery/release.ts";
import {
  type FieldRequirement,
  fieldSelector,
  parseFieldSelector,
} from "../../../apimachinery/selectors/field-selector.ts";
import { labelSelector, parseLabelSelector } from "../../../apimachinery/selectors/label-selector.ts";
import type { UserInfo } from "../../../apimachinery/user-info.ts";
import type { LabelOperator, LabelRequirement } from "../../../apimachinery/validation/label-requirement.ts";
import type { AuthorizationAttributes } from "../../../authorization/contract/authorizer.ts";
import { resourceAttributes } from "../../../authorization/contract/resource-attributes.ts";

/** The attributes of a review, and the error for what could not be parsed. */
export interface ReviewedAttributes {
  readonly attributes: AuthorizationAttributes;
  /** Empty without an error. */
  readonly evaluationError: string;
}

/** The parsed part of a selector, in the syntax of a query. */
interface ParsedSelector {
  readonly text: string;
  readonly ignored: "nothing" | "something" | "everything";
}

const everything: ParsedSelector = { text: "", ignored: "nothing" };

/**
 * The attributes of a valid review. Ignoring a requirement that cannot be parsed makes the request broader, so it is
 * safe.
 */
export function reviewedAttributes(spec: JsonObject, user: UserInfo, since: Since): ReviewedAttributes {
  const resource = objectAt(spec, "resourceAttributes");
  if (resource === undefined) {
    const path = textAt(spec, "nonResourceAttributes", "path");
    const verb = textAt(spec, "nonResourceAttributes", "verb");
    return { attributes: { user, info: { isResourceRequest: false, path, verb } }, evaluationError: "" };
  }
  const fields = parsedSelector(objectAt(resource, "fieldSelector"), parsedFields, fieldsOf);
  const parsedLabels = (raw: string): string => parseLabelSelector(raw, since).text;
  const labels = parsedSelector(objectAt(resource, "labelSelector"), parsedLabels, labelsOf);
  const attributes = resourceAttributes(user, {
    verb: textAt(resource, "verb"),
    group: textAt(resource, "group"),
    version: textAt(resource, "version") || "*",
    resource: textAt(resource, "resource"),
    subresource: textAt(resource, "subresource"),
    namespace: textAt(resource, "namespace"),
    name: textAt(resource, "name"),
    fieldSelector: fields.text,
    labelSelector: labels.text,
  });
  const problems = [...ignoredText("fieldSelector", fields), ...ignoredText("labelSelector", labels)];
  return { attributes, evaluationError: problems.join("; ") };
}

function ignoredText(name: string, { ignored }: ParsedSelector): readonly string[] {
  if (ignored === "nothing") return [];
  const much = ignored === "something" ? "partially ignored" : "ignored";
  return [`spec.resourceAttributes.${name} ${much} due to parse error`];
}

function parsedSelector(
  selector: JsonObject | undefined,
  parsed: (raw: string) => string,
  textOf: (requirements: readonly JsonObject[]) => { readonly text: string; readonly count: number },
): ParsedSelector {
  if (selector === undefined) return everything;
  const requirements = listAt(selector, "requirements");
  if (requirements.length === 0) return parsedRaw(textAt(selector, "rawSelector"), parsed);
  const { text, count } = textOf(requirements);
  if (count === requirements.length) return { text, ignored: "nothing" };
  return { text, ignored: count === 0 ? "everything" : "something" };
}

function parsedRaw(raw: string, parsed: (raw: string) => string): ParsedSelector {
  try {
    return { text: parsed(raw), ignored: "nothing" };
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return { text: "", ignored: "everything" };
  }
}

const parsedFields = (raw: string): string => parseFieldSelector(raw).text;

/** A requirement of a field selector has exactly one value. */
function fieldsOf(requirements: readonly JsonObject[]) {
  const known = requirements.flatMap((requirement): FieldRequirement[] => {
    const operator = fieldOperators.get(textAt(requirement, "operator"));
    const [value, ...others] = textsAt(requirement, "values");
    if (operator === undefined || value === undefined || others.length > 0) return [];
    return [{ field: textAt(requirement, "key"), operator, value }];
  });
  return { text: fieldSelector(known).text, count: known.length };
}

const fieldOperators: ReadonlyMap<string, "=" | "!="> = new Map([
  ["In", "="],
  ["NotIn", "!="],
]);

function labelsOf(requirements: readonly JsonObject[]) {
  const known = requirements.flatMap((requirement): LabelRequirement[] => {
    const operator = labelOperators.get(textAt(requirement, "operator"));
    const values = textsAt(requirement, "values");
    return operator === undefined ? [] : [{ key: textAt(requirement, "key"), operator, values }];
  });
  return { text: labelSelector(known).text, count: known.length };
}

const labelOperators: ReadonlyMap<string, LabelOperator> = new Map([
  ["In", "in"],
  ["NotIn", "notin"],
  ["Exists", "exists"],
  ["DoesNotExist", "!"],
]);
