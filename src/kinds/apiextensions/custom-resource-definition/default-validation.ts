import { aggregateMessage, fieldCauses, fieldInvalid } from "../../../apimachinery/errors/field.ts";
import { noGoTypes } from "../../../apimachinery/go/go-shape.ts";
import { isJsonObject, type JsonValue, jsonEqual } from "../../../apimachinery/json.ts";
import { sinceOf } from "../../../apimachinery/release.ts";
import { child, key } from "../../../apimachinery/validation/field-path.ts";
import { collectErrors, type Findings } from "../../../apimachinery/validation/findings.ts";
import type { StructSchema } from "../../../catalog/type-schema.ts";
import { embeddedMetadata } from "../../../schema/embedded-metadata.ts";
import { coerceEmbedded, WrongTypeError } from "../../../schema/structural/embedded-resources.ts";
import { metaFields, pruneValue } from "../../../schema/structural/pruning.ts";
import type { RuleEnvironment } from "../../../schema/structural/rules/compiled-rules.ts";
import { ruleTree } from "../../../schema/structural/rules/rule-tree.ts";
import { addRuleErrors } from "../../../schema/structural/rules/rule-validation.ts";
import type { Structural } from "../../../schema/structural/structural-schema.ts";
import { validateValue } from "../../../schema/structural/value-validation.ts";
import { addEmbeddedErrors } from "./embedded-resources.ts";
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
  environment: DefaultEnvironment,
): void {
  const around = { resource: schema, surround: typed };
  addErrorsWithin(errors, schema, {
    path,
    tolerances,
    environment,
    ...around,
    isResource: true,
    isInMetadata: false,
  });
}

/** How defaults are read, and how the rules that they must fulfil are compiled. */
export interface DefaultEnvironment extends RuleEnvironment {
  /** The metadata of resources; undefined where no request is validated by it. */
  readonly objectMeta: StructSchema | undefined;
}

/** The resource around a default of its metadata needs a type. */
function typed(value: JsonValue): JsonValue {
  return isJsonObject(value) ? { apiVersion: "validation/v1", kind: "Validation", ...value } : value;
}

interface DefaultPlace {
  readonly path: string;
  readonly tolerances: Tolerances;
  readonly environment: DefaultEnvironment;
  /** The schema of the resource around the place, and that resource with a value at the place. */
  readonly resource: Structural;
  readonly surround: (value: JsonValue) => JsonValue;
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
  const surround = schema.isEmbeddedResource ? typed : place.surround;
  const resource = schema.isEmbeddedResource ? schema : place.resource;
  const inner = { ...place, resource, isResource: false, isInMetadata };
  if (schema.items !== undefined) {
    const itemPath = child(path, "items");
    addErrorsWithin(errors, schema.items, {
      ...inner,
      path: itemPath,
      surround: (value) => surround([value]),
    });
  }
  for (const [name, property] of schema.properties) {
    addErrorsWithin(errors, property, {
      ...inner,
      path: key(child(path, "properties"), name),
      surround: (value) => surround({ [name]: value }),
      isInMetadata: isInMetadata || (isResource && metaFields.has(name)),
    });
  }
}

function addOwnErrors(errors: Findings, schema: Structural, place: DefaultPlace): void {
  const { path, tolerances, environment, isResource, isInMetadata } = place;
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
  const before = errors.length;
  if (isInMetadata) addMetadataErrors(errors, value, field, place);
  else addResourceErrors(errors, value, schema, field, environment);
  if (errors.length > before) return;
  // Upstream validates the default as an object without a name: its errors lack the path within messages.
  const found = validateValue(schema.source, value, "", sinceOf(environment.release)).errors;
  const all: Findings = [...found];
  if (all.length === 0) addDefaultRuleErrors(all, schema, value, environment, isResource ? "object" : "part");
  for (const error of all) {
    const within = error.field === "<nil>" ? "" : error.field;
    errors.push({ ...error, field: child(field, ...(within === "" ? [] : [within])) });
  }
}

/** A default within metadata must result in valid metadata of the resource around it. */
function addMetadataErrors(
  errors: Findings,
  value: JsonValue,
  field: string,
  { resource, surround, environment }: DefaultPlace,
): void {
  const found = collectErrors((list) =>
    addResourceErrors(list, surround(value), { ...resource, ...ofResources }, "", environment),
  );
  if (found.length === 0) return;
  const since = sinceOf(environment.release);
  const problems = aggregateMessage(fieldCauses(found, since, noGoTypes));
  errors.push(fieldInvalid(field, value, `must result in valid metadata: ${problems}`));
}

const ofResources = { isEmbeddedResource: true, hasEmbeddedResources: true } as const;

/** The types and the metadata of resources within a default. */
function addResourceErrors(
  errors: Findings,
  value: JsonValue,
  schema: Structural,
  field: string,
  { objectMeta, release }: DefaultEnvironment,
): void {
  if (!schema.hasEmbeddedResources || objectMeta === undefined) return;
  const reading = {
    read: embeddedMetadata(objectMeta),
    wrongTypes: "refused",
    since: sinceOf(release),
  } as const;
  try {
    coerceEmbedded(value, schema, reading);
    addEmbeddedErrors(errors, schema, value, field, objectMeta);
  } catch (error) {
    if (!(error instanceof WrongTypeError)) throw error;
    const { finding } = error;
    errors.push({ ...finding, field: child(field, finding.field) });
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
  addRuleErrors(errors, tree, [value, undefined], true);
  if (errors.length === 0) addRuleErrors(errors, tree, [value, value], true);
}
