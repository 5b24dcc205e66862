import { objectAt, structAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { editedAt, withField } from "../../../apimachinery/object-edits.ts";
import type { KubeObject, MutableKubeObject } from "../../../apimachinery/object-meta.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import { dnsSubdomainName } from "../../../apimachinery/validation/names.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { changed, withGeneration } from "../../../registry/contract/default-strategy.ts";
import type { StrategyFacts } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { withoutDisabledProfiles } from "../edits/app-armor-annotations.ts";
import { withoutDisabledFields } from "../edits/pod-disabled-fields.ts";
import { addPodTemplateSpecErrors } from "../validation/pod-template.ts";
import { templateValidationOptions } from "../validation/pod-validation-options.ts";
import { podTemplateWarnings } from "../warnings/pod-warnings.ts";

/** The strategy of PodTemplates. Upstream: pkg/registry/core/podtemplate/strategy.go. */
export function podTemplateStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  return {
    ...withGeneration(base, templateChanged),
    validateName: dnsSubdomainName,
    prepareForCreate: (object) => dropDisabledTemplateFields(object, undefined, gates),
    validate: (errors, object) => addTemplateErrors(errors, object, gates),
    warningsOnCreate: (object) => templateWarnings(object, gates),
    prepareForUpdate: (object, old) => dropDisabledTemplateFields(object, old, gates),
    validateUpdate: (errors, object, old) =>
      addTemplateErrors(errors, object, gates, structAt(old, "template")),
    warningsOnUpdate: (object, old) => (templateChanged(object, old) ? templateWarnings(object, gates) : []),
  };
}

const templateChanged = changed("template");

function dropDisabledTemplateFields(
  object: MutableKubeObject,
  old: KubeObject | undefined,
  gates: FeatureGates,
): void {
  const template = objectAt(object, "template");
  const spec = objectAt(object, "template", "spec");
  if (template === undefined || spec === undefined) return;
  const oldSpec = old && objectAt(old, "template", "spec");
  const edited = withField(template, "spec", withoutDisabledFields(spec, oldSpec, gates));
  object["template"] = editedAt(edited, "metadata", (metadata) =>
    withoutDisabledProfiles(metadata, old && objectAt(old, "template", "metadata"), gates),
  );
}

function addTemplateErrors(
  errors: Findings,
  object: KubeObject,
  gates: FeatureGates,
  old?: JsonObject,
): void {
  const options = templateValidationOptions(gates, old);
  addPodTemplateSpecErrors(errors, structAt(object, "template"), "template", options);
}

function templateWarnings(object: KubeObject, gates: FeatureGates): readonly string[] {
  return podTemplateWarnings(structAt(object, "template"), "template", gates);
}
