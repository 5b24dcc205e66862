import { fieldInvalid, fieldNotSupported, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { listAt, objectAt, structAt, textAt } from "../../../apimachinery/fields.ts";
import { isPrintable } from "../../../apimachinery/go/go-quote.ts";
import { GoValue, plainValue, type ShownValue } from "../../../apimachinery/go/go-value.ts";
import type { JsonObject, JsonValue } from "../../../apimachinery/json.ts";
import type { Release } from "../../../apimachinery/release.ts";
import { utf8Length } from "../../../apimachinery/utf8.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import { addInvalid, type Findings } from "../../../apimachinery/validation/findings.ts";
import { dnsSubdomainMessages } from "../../../apimachinery/validation/names.ts";
import type { StructSchema } from "../../../catalog/type-schema.ts";
import { structural } from "../../../schema/structural/structural-schema.ts";
import { addColumnErrors, addSubresourceErrors } from "./column-validation.ts";
import { addConversionErrors, type ReviewVersionRule } from "./conversion-validation.ts";
import { addMissingNameErrors, addNamesErrors, addUnlessLabel } from "./names-validation.ts";
import type { SchemaRules, Tolerances } from "./schema-place.ts";
import { addSchemaErrors } from "./schema-validation.ts";
import { hasDefault, hasSchema, schemasOf } from "./schemas-within.ts";
import { addSelectableFieldErrors } from "./selectable-field-validation.ts";

const scopes = ["Cluster", "Namespaced"];
const extensions = [
  "x-kubernetes-embedded-resource",
  "x-kubernetes-int-or-string",
  "x-kubernetes-list-map-keys",
  "x-kubernetes-list-type",
  "x-kubernetes-preserve-unknown-fields",
  "x-kubernetes-validations",
];

/** The rules that depend on the stored definition and on the release. */
export interface SpecRules {
  readonly tolerances: Tolerances;
  /** Why schemas may have no defaults; see `SchemaRules`. */
  readonly noDefaults: string | undefined;
  readonly reviewVersions: ReviewVersionRule;
  readonly release: Release;
  /** The expressions of the stored definition. */
  readonly storedExpressions: ReadonlySet<string>;
  /** See `SchemaRules`. */
  readonly objectMeta: StructSchema | undefined;
}

/** Validates the spec of a definition in the internal version. Upstream: validateCustomResourceDefinitionSpec. */
export function addSpecErrors(errors: Findings, spec: JsonObject, rules: SpecRules): void {
  const { tolerances, noDefaults } = rules;
  const keepsUnknown = spec["preserveUnknownFields"] === true;
  const hasDefaults = noDefaults === undefined && schemasOf(spec).some(hasDefault);
  addGroupErrors(errors, textAt(spec, "group"));
  addScopeErrors(errors, textAt(spec, "scope"));
  addMissingSchemaErrors(errors, spec, tolerances.has("schemas") ? "pruned" : "all");
  if (hasDefaults && keepsUnknown) {
    const detail = "must be false in order to use defaults in the schema";
    errors.push(fieldInvalid("spec.preserveUnknownFields", true, detail));
  }
  const isStructural =
    !tolerances.has("structure") ||
    !keepsUnknown ||
    hasDefaults ||
    someSchema(spec, (schema) => extensions.some((name) => schema[name] !== undefined));
  const { release, storedExpressions, objectMeta } = rules;
  const schemaRules: SchemaRules = {
    tolerances,
    noDefaults,
    isStructural,
    release,
    storedExpressions,
    objectMeta,
  };
  addVersionsErrors(errors, spec, schemaRules);
  addMissingNameErrors(errors, structAt(spec, "names"), "spec.names");
  addNamesErrors(errors, structAt(spec, "names"), "spec.names");
  addPartErrors(
    errors,
    { ...spec, schema: spec["validation"] ?? {} },
    "spec",
    "validation",
    hasAnyStatus(spec),
    schemaRules,
  );
  if (textAt(spec, "conversion", "strategy") !== "None" && keepsUnknown) {
    const detail = "must be None if spec.preserveUnknownFields is true";
    errors.push(fieldInvalid("spec.conversion.strategy", textAt(spec, "conversion", "strategy"), detail));
  }
  addConversionErrors(errors, structAt(spec, "conversion"), rules.reviewVersions, "spec.conversion");
}

function someSchema(spec: JsonObject, test: (schema: JsonObject) => boolean): boolean {
  return schemasOf(spec).some((schema) => hasSchema(schema, test));
}

function addGroupErrors(errors: Findings, group: string): void {
  const field = "spec.group";
  const messages = dnsSubdomainMessages(group);
  if (group === "") errors.push(fieldRequired(field));
  else if (messages.length > 0) addInvalid(errors, field, group, messages);
  else if (!group.includes(".")) {
    errors.push(fieldInvalid(field, group, "should be a domain with at least one dot"));
  }
}

function addScopeErrors(errors: Findings, scope: string): void {
  if (scope === "") errors.push(fieldRequired("spec.scope"));
  else if (!scopes.includes(scope)) errors.push(fieldNotSupported("spec.scope", scope, scopes));
}

/** Without a schema, pruning would drop all fields of a served version, so one is needed even where they are not required. */
function addMissingSchemaErrors(errors: Findings, spec: JsonObject, required: "all" | "pruned"): void {
  if (objectAt(spec, "validation", "openAPIV3Schema") !== undefined) return;
  if (required === "pruned" && spec["preserveUnknownFields"] === true) return;
  const detail = required === "all" ? "schemas are required" : "because otherwise all fields are pruned";
  for (const [i, version] of listAt(spec, "versions").entries()) {
    if (required === "pruned" && version["served"] !== true) continue;
    if (objectAt(version, "schema", "openAPIV3Schema") !== undefined) continue;
    errors.push(fieldRequired(`${index("spec.versions", i)}.schema.openAPIV3Schema`, detail));
  }
}

function hasAnyStatus(spec: JsonObject): boolean {
  const hasStatus = (part: JsonObject) => objectAt(part, "subresources", "status") !== undefined;
  return hasStatus(spec) || listAt(spec, "versions").some(hasStatus);
}

function addVersionsErrors(errors: Findings, spec: JsonObject, rules: SchemaRules): void {
  const versions = listAt(spec, "versions");
  const names = versions.map((version) => textAt(version, "name"));
  const shared = objectAt(spec, "subresources", "status") !== undefined;
  for (const [i, version] of versions.entries()) {
    const path = index("spec.versions", i);
    addUnlessLabel(errors, names[i] ?? "", child(path, "name"));
    addDeprecationErrors(errors, version, path);
    const hasStatus = shared || objectAt(version, "subresources", "status") !== undefined;
    addPartErrors(errors, version, path, "schema", hasStatus, rules);
  }
  const shown = () => shownVersions(spec["versions"]);
  if (new Set(names).size < names.length) {
    errors.push(fieldInvalid("spec.versions", shown(), "must contain unique version names"));
  }
  if (versions.filter(({ storage }) => storage === true).length !== 1) {
    const detail = "must have exactly one version marked as storage version";
    errors.push(fieldInvalid("spec.versions", shown(), detail));
  }
  const first = textAt(spec, "version");
  if (first !== "") addUnlessLabel(errors, first, "spec.version");
}

const versionsType = "[]apiextensions.CustomResourceDefinitionVersion";

/** An empty list prints unlike a missing one. */
function shownVersions(versions: JsonValue | undefined): ShownValue {
  if (Array.isArray(versions) && versions.length === 0) return new GoValue(`${versionsType}{}`, "[]");
  return plainValue(versionsType, versions);
}

/** What a version and the part that all versions share have in common. */
function addPartErrors(
  errors: Findings,
  part: JsonObject,
  path: string,
  schemaField: "schema" | "validation",
  hasStatus: boolean,
  rules: SchemaRules,
): void {
  addSchemaErrors(errors, objectAt(part, "schema"), { status: hasStatus }, rules, child(path, schemaField));
  addSubresourceErrors(errors, structAt(part, "subresources"), child(path, "subresources"));
  for (const [i, column] of listAt(part, "additionalPrinterColumns").entries()) {
    addColumnErrors(errors, column, index(child(path, "additionalPrinterColumns"), i));
  }
  const selectable = listAt(part, "selectableFields");
  const schema = objectAt(part, "schema", "openAPIV3Schema");
  if (selectable.length === 0) return;
  const field = child(path, "selectableFields");
  if (schema !== undefined) addSelectableFieldErrors(errors, selectable, structural(schema), field);
  else
    errors.push(
      fieldInvalid(field, "", "may only be set when `version.schema.openAPIV3Schema` is not included"),
    );
}

/** Upstream: validateDeprecationWarning. */
function addDeprecationErrors(errors: Findings, version: JsonObject, path: string): void {
  const warning = version["deprecationWarning"];
  if (typeof warning !== "string") return;
  const field = child(path, "deprecationWarning");
  const add = (detail: string) => errors.push(fieldInvalid(field, warning, detail));
  if (version["deprecated"] !== true) {
    add("can only be set for deprecated versions");
    return;
  }
  if (utf8Length(warning) > 256) add("must be <= 256 characters long");
  if (warning === "") add("must not be an empty string");
  let at = 0;
  for (const character of warning) {
    if (!isPrintable(character)) {
      add(`must only contain printable UTF-8 characters; non-printable character found at index ${at}`);
      return;
    }
    at += utf8Length(character);
  }
}

/** Requires fields that decide where objects are stored to stay. Upstream: validateCustomResourceDefinitionSpecUpdate. */
export function addImmutableErrors(
  errors: Findings,
  spec: JsonObject,
  old: JsonObject,
  { isEstablished }: { readonly isEstablished: boolean },
): void {
  const paths = [...(isEstablished ? [["scope"], ["names", "kind"]] : []), ["group"], ["names", "plural"]];
  for (const path of paths) {
    const value = textAt(spec, ...path);
    if (value === textAt(old, ...path)) continue;
    errors.push(fieldInvalid(child("spec", ...path), value, "field is immutable"));
  }
}
