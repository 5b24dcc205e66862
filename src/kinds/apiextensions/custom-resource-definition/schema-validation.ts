import { fieldForbidden, fieldInvalid } from "../../../apimachinery/errors/field.ts";
import { objectAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { child } from "../../../apimachinery/validation/field-path.ts";
import { addAll, collectErrors, type Findings } from "../../../apimachinery/validation/findings.ts";
import { structural } from "../../../schema/structural/structural-schema.ts";
import { rememberedByPart } from "../../../sharing/remembered-by-part.ts";
import { addDefaultErrors } from "./default-validation.ts";
import { addOpenApiSchemaErrors } from "./open-api-schema-validation.ts";
import { addRuleDefinitionErrors } from "./rule-definition-validation.ts";
import { rootPlace, type SchemaRules } from "./schema-place.ts";
import { hasDefault } from "./schemas-within.ts";
import { addStructuralErrors } from "./structural-validation.ts";

/** Keywords at the root whose rules would be lost for a status that is validated apart, by Go name. */
const lostAtRoot: readonly string[] = [
  "allOf",
  "anyOf",
  "oneOf",
  "not",
  "enum",
  "additionalProperties",
  "default",
  "maxProperties",
  "minProperties",
];

const allowedAtRoot = `[Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields XValidations]`;

/** Adds what is wrong with the schema of a version. Upstream: validateCustomResourceDefinitionValidation. */
export function addSchemaErrors(
  errors: Findings,
  validation: JsonObject | undefined,
  hasStatus: { readonly status: boolean },
  rules: SchemaRules,
  path: string,
): void {
  const schema = validation && objectAt(validation, "openAPIV3Schema");
  if (schema === undefined) return;
  addAll(
    errors,
    errorsOf(schema, { hasStatus: hasStatus.status, rules, path: child(path, "openAPIV3Schema") }),
  );
}

/** What the errors of a schema depend on besides the schema. */
interface SchemaContext {
  readonly hasStatus: boolean;
  readonly rules: SchemaRules;
  readonly path: string;
}

/** Writes that change something else of a definition, and definitions of one load, have the very same schemas. */
const errorsOf = rememberedByPart(
  (schema: JsonObject, context: SchemaContext) =>
    collectErrors((found) => addOwnErrors(found, schema, context)),
  (before: SchemaContext, now: SchemaContext) =>
    before.path === now.path && before.hasStatus === now.hasStatus && areSameRules(before.rules, now.rules),
);

function areSameRules(before: SchemaRules, now: SchemaRules): boolean {
  return (
    before.release === now.release &&
    before.isStructural === now.isStructural &&
    before.noDefaults === now.noDefaults &&
    haveSameTexts(before.tolerances, now.tolerances) &&
    haveSameTexts(before.storedExpressions, now.storedExpressions)
  );
}

function haveSameTexts(before: ReadonlySet<string>, now: ReadonlySet<string>): boolean {
  return before.size === now.size && [...before].every((text) => now.has(text));
}

function addOwnErrors(
  errors: Findings,
  schema: JsonObject,
  { hasStatus, rules, path: at }: SchemaContext,
): void {
  if (hasStatus) addRootErrors(errors, schema, at);
  if (schema["nullable"] === true) {
    errors.push(fieldForbidden(child(at, "nullable"), "nullable cannot be true at the root"));
  }
  const own = collectErrors((found) => addOpenApiSchemaErrors(found, schema, rootPlace(at, rules)));
  if (rules.isStructural && own.every(({ body }) => !String(body).includes("is not supported"))) {
    addShapeErrors(errors, schema, rules, at);
  }
  addAll(errors, own);
  // Rules are compiled only for a schema that declares types.
  if (errors.length === 0) addRuleDefinitionErrors(errors, schema, rules, at);
}

/** Defaults are validated only by a schema that is structural. */
function addShapeErrors(
  errors: Findings,
  schema: JsonObject,
  { tolerances, release, storedExpressions, objectMeta }: SchemaRules,
  path: string,
): void {
  const shape = collectErrors((found) => addStructuralErrors(found, schema, path));
  if (shape.length > 0) addAll(errors, shape);
  else if (hasDefault(schema)) {
    const isStored = (expression: string) => storedExpressions.has(expression);
    addDefaultErrors(errors, structural(schema), path, tolerances, { release, isStored, objectMeta });
  }
}

function addRootErrors(errors: Findings, schema: JsonObject, path: string): void {
  const type = schema["type"];
  if (type !== undefined && type !== "" && type !== "object") {
    const detail =
      'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
    errors.push(fieldInvalid(child(path, "type"), type, detail));
    return;
  }
  if (!lostAtRoot.some((name) => schema[name] !== undefined)) return;
  const detail = `only ${allowedAtRoot} fields are allowed at the root of the schema if the status subresource is enabled`;
  errors.push(fieldInvalid(path, schema, detail));
}
