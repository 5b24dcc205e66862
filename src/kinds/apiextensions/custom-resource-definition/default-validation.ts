import { fieldInvalid } from "../../../apimachinery/errors/field.ts";
import { type JsonValue, jsonEqual } from "../../../apimachinery/json.ts";
import { child, key } from "../../../apimachinery/validation/field-path.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import { metaFields, pruneValue } from "../../../schema/structural/pruning.ts";
import type { RuleEnvironment } from "../../../schema/structural/rules/compiled-rules.ts";
import { ruleTree } from "../../../schema/structural/rules/rule-tree.ts";
import { addRuleErrors } from "../../../schema/structural/rules/rule-validation.ts";
import type { Structural } from "../../../schema/structural/structural-schema.ts";
import { validateValue } from "../../../schema/structural/value-validation.ts";
import type { Tolerances } from "./schema-place.ts";

/**
 * Adds an error for each default that its own schema refuses. Defaults below `additionalProperties` do not count. Upstream:
 * apiextensions-apiserver, pkg/apiserver/schema/defaulting/validation.go.
 */
export function addDefaultErrors(
  errors: Findings,
  schema: Structural,
  path: string,
  tolerances: Tolerances,
  environment: RuleEnvironment,
): void {
  addErrorsWithin(errors, schema, { path, tolerances, environment, isResource: true, isInMetadata: false });
}

interface DefaultPlace {
  readonly path: string;
  readonly tolerances: Tolerances;
  /** How the rules that defaults must fulfil are compiled. */
  readonly environment: RuleEnvironment;
  /** Whether the schema describes a whole object, with its type and metadata. */
  readonly isResource: boolean;
  readonly isInMetadata: boolean;
}

function addErrorsWithin(errors: Findings, schema: Structural, place: DefaultPlace): void {
  if (!schema.hasDefaults) return;
  const { path } = place;
  const isResource = place.isResource || schema.isEmbeddedResource;
  const isInMetadata = place.isInMetadata && !schema.isEmbeddedResource;
  if (schema.default !== undefined) addOwnErrors(errors, schema, { ...place, isInMetadata });
  const inner = { ...place, isResource: false, isInMetadata };
  if (schema.items !== undefined)
    addErrorsWithin(errors, schema.items, { ...inner, path: child(path, "items") });
  for (const [name, property] of schema.properties) {
    addErrorsWithin(errors, property, {
      ...inner,
      path: key(child(path, "properties"), name),
      isInMetadata: isInMetadata || (isResource && metaFields.has(name)),
    });
  }
}

function addOwnErrors(
  errors: Findings,
  schema: Structural,
  { path, tolerances, environment, isResource, isInMetadata }: DefaultPlace,
): void {
  const value = schema.default;
  if (value === undefined) return;
  const field = child(path, "default");
  if (
    !isInMetadata &&
    !tolerances.has("unprunedDefaults") &&
    !jsonEqual(pruneValue(value, schema).value, value)
  ) {
    errors.push(fieldInvalid(field, value, "must not have unknown fields"));
  }
  // Upstream validates the default as an object without a name: its errors lack the path within messages.
  const found = validateValue(schema.source, value, "").errors;
  const all: Findings = [...found];
  if (all.length === 0) addDefaultRuleErrors(all, schema, value, environment, isResource ? "object" : "part");
  for (const error of all) {
    const within = error.field === "<nil>" ? "" : error.field;
    errors.push({ ...error, field: child(field, ...(within === "" ? [] : [within])) });
  }
}

/** A default must pass the rules of its schema, as a new value and as one that stays. */
function addDefaultRuleErrors(
  errors: Findings,
  schema: Structural,
  value: JsonValue,
  environment: RuleEnvironment,
  position: "object" | "part",
): void {
  const tree = ruleTree(schema, environment, { root: position === "object" });
  if (tree === undefined) return;
  addRuleErrors(errors, tree, value, undefined);
  if (errors.length === 0) addRuleErrors(errors, tree, value, value);
}
