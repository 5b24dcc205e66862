import { methodNotAllowed, StatusError } from "../../../apimachinery/errors/errors.ts";
import { fieldInvalid } from "../../../apimachinery/errors/field.ts";
import type { GroupVersionKind } from "../../../apimachinery/group-version.ts";
import { type JsonObject, jsonEqual } from "../../../apimachinery/json.ts";
import type { Lister } from "../../../apimachinery/lister.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { Release } from "../../../apimachinery/release.ts";
import { addAll, collectErrors, type Findings } from "../../../apimachinery/validation/findings.ts";
import { keepOld } from "../../../registry/contract/default-strategy.ts";
import type { RefineStrategy } from "../../../registry/contract/kind-definition.ts";
import type { RefinementFacts } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import type { CustomResourceSchema } from "../../../schema/custom-resource-schema.ts";
import { addListErrors } from "../../../schema/structural/list-validation.ts";
import { addRuleErrors } from "../../../schema/structural/rules/rule-validation.ts";
import { addValueErrors } from "../../../schema/structural/value-validation.ts";
import { addEmbeddedErrors } from "../custom-resource-definition/embedded-resources.ts";
import { addScaleErrors } from "./scale-validation.ts";

/** What a definition says about one version of its kind. */
export interface ResourceRules {
  readonly gvk: GroupVersionKind;
  readonly resource: string;
  /** The name of the definition. */
  readonly definition: string;
  readonly schema: CustomResourceSchema;
  readonly release: Release;
  readonly hasStatus: boolean;
  /** The scale subresource, if the version has one. */
  readonly scale: JsonObject | undefined;
}

const definitions = { group: "apiextensions.k8s.io", resource: "customresourcedefinitions" };

/** Refuses new objects of a definition that is being deleted. */
export function whileNotTerminating(base: Strategy, rules: ResourceRules, lister: Lister): Strategy {
  return {
    ...base,
    authorizeWrite: (_object, old) => {
      if (old !== undefined) return;
      const definition = lister.get(definitions, "", rules.definition);
      if (!definition?.metadata.deletionTimestamp) return;
      const { status } = methodNotAllowed({ group: rules.gvk.group, resource: rules.resource }, "create");
      const message = "create not allowed while custom resource definition is terminating";
      throw new StatusError({ ...status, message });
    },
  };
}

/** Upstream: apiextensions-apiserver, pkg/registry/customresource/strategy.go. */
export function customResourceStrategy(
  base: Strategy,
  rules: ResourceRules,
  facts: ValidationFacts,
): Strategy {
  return {
    ...base,
    metadataChecks: { create: "library", update: "library" },
    countsGeneration: (object, old) => hasChanged(object, old),
    prepareForCreate: (object) => {
      if (rules.hasStatus) delete object["status"];
    },
    prepareForUpdate: (object, old) => {
      if (rules.hasStatus) keepOld(object, old, "status");
    },
    validate: (errors, object) => {
      const { schema, scale } = rules;
      addValueErrors(errors, schema.root.source, object, "", facts.gates.since);
      addScaleErrors(errors, object, scale, "all");
      addEmbeddedErrors(errors, schema.root, object, "", schema.type.objectMeta);
      addListErrors(errors, schema.root, object, "");
      addExpressionErrors(errors, rules, facts, [object, undefined]);
    },
    validateUpdate: (errors, object, old) => {
      const { schema, scale } = rules;
      const { since } = facts.gates;
      addValueErrors(errors, schema.root.source, object, "", since, ratchets(facts) ? old : undefined);
      addScaleErrors(errors, object, scale, "all");
      addEmbeddedErrors(errors, schema.root, object, "", schema.type.objectMeta);
      addNewListErrors(errors, schema, object, old);
      addExpressionErrors(errors, rules, facts, [object, old]);
    },
  };
}

/** What the validation of a custom resource depends on, besides its definition. */
export type ValidationFacts = Pick<RefinementFacts, "expressionMetrics" | "gates">;

/** Whether parts that an update leaves as they were may be invalid. */
function ratchets({ gates }: ValidationFacts): boolean {
  return gates.isEnabled("CRDValidationRatcheting");
}

const blocking: ReadonlySet<string> = new Set([
  "FieldValueNotSupported",
  "FieldValueRequired",
  "FieldValueTooLong",
  "FieldValueTooMany",
  "FieldValueTypeInvalid",
]);

/** Expressions are not evaluated on values whose types or sizes are wrong. Upstream: hasBlockingErr. */
function addExpressionErrors(
  errors: Findings,
  { schema, release }: ResourceRules,
  facts: ValidationFacts,
  [object, old]: readonly [object: KubeObject, old: KubeObject | undefined],
): void {
  const { expressionMetrics: metrics, gates } = facts;
  const tree = schema.rules(release, (compile) => metrics.measured("compilations", compile));
  if (tree === undefined) return;
  if (!errors.some(({ type }) => blocking.has(type))) {
    // In 1.28, the rules do not know of the gate.
    const isRatcheting = ratchets(facts) && gates.since("1.29");
    metrics.measured("evaluations", () => addRuleErrors(errors, tree, [object, old], isRatcheting));
    return;
  }
  const detail =
    "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation";
  errors.push(fieldInvalid("<nil>", undefined, detail));
}

/** Lists that were invalid before may stay so. */
function addNewListErrors(
  errors: Findings,
  { root }: CustomResourceSchema,
  object: KubeObject,
  old: KubeObject,
): void {
  if (!root.hasDistinctItems) return;
  const before = collectErrors((found) => addListErrors(found, root, old, ""));
  if (before.length > 0) return;
  addAll(
    errors,
    collectErrors((found) => addListErrors(found, root, object, "")),
  );
}

/** Whether anything but metadata differs. */
function hasChanged(object: KubeObject, old: KubeObject): boolean {
  const isCounted = (field: string) => field !== "metadata" && field !== "apiVersion";
  const isKept = (field: string) => Object.hasOwn(old, field) && jsonEqual(object[field], old[field]);
  const fields = Object.keys(object).filter(isCounted);
  return fields.length !== Object.keys(old).filter(isCounted).length || !fields.every(isKept);
}

/** Upstream: apiextensions-apiserver, pkg/registry/customresource/status_strategy.go. */
export function customResourceStatusStrategy(rules: ResourceRules): RefineStrategy {
  return (base, facts) => ({
    ...base,
    allowCreateOnUpdate: false,
    countsGeneration: () => false,
    prepareForUpdate: (object, old) => {
      const { status } = object;
      const { managedFields, resourceVersion } = object.metadata;
      for (const field of Object.keys({ ...object, ...old })) keepOld(object, old, field);
      object.metadata = { ...old.metadata };
      if (resourceVersion !== undefined) object.metadata.resourceVersion = resourceVersion;
      if (managedFields === undefined) delete object.metadata["managedFields"];
      else object.metadata["managedFields"] = managedFields;
      if (status === undefined) delete object["status"];
      else object["status"] = status;
    },
    validateUpdate: (errors, object, old) => {
      const { root } = rules.schema;
      const status = root.properties.get("status");
      const value = object["status"];
      if (status !== undefined && value !== undefined) {
        const before = ratchets(facts) ? old["status"] : undefined;
        addValueErrors(errors, status.source, value, "status", facts.gates.since, before);
      }
      addScaleErrors(errors, object, rules.scale, "status");
      addEmbeddedErrors(errors, root, object, "", rules.schema.type.objectMeta);
      addNewListErrors(errors, rules.schema, object, old);
      addExpressionErrors(errors, rules, facts, [object, old]);
    },
    warningsOnUpdate: () => [],
  });
}
