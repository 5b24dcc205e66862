import { fieldForbidden } from "../../../apimachinery/errors/field.ts";
import { listAt, structAt, textAt } from "../../../apimachinery/fields.ts";
import { goQuote } from "../../../apimachinery/go/go-quote.ts";
import { jsonEqual } from "../../../apimachinery/json.ts";
import { mirrorAnnotation } from "../../../apimachinery/mirror-pod.ts";
import { withField } from "../../../apimachinery/object-edits.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import { keepOld } from "../../../registry/contract/default-strategy.ts";
import type { StrategyFacts } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { keepMetadata } from "../../../registry/subresources/status-metadata.ts";
import { ephemeralContainerDiff } from "../../internal-types/pod-diff.ts";
import { podValidationOptions } from "../../pod-spec/validation/pod-validation-options.ts";
import { dropDisabledFields } from "./pod.ts";
import { addChangedPodErrors } from "./pod-update-validation.ts";

/** The strategy of `/ephemeralcontainers`, which adds containers to a running pod and changes nothing else. */
export function podEphemeralContainersStrategy(base: Strategy, facts: StrategyFacts): Strategy {
  return {
    ...base,
    allowCreateOnUpdate: false,
    prepareForUpdate: (pod, old) => {
      const { ephemeralContainers } = structAt(pod, "spec");
      pod["spec"] = withField(structAt(old, "spec"), "ephemeralContainers", ephemeralContainers);
      keepOld(pod, old, "status");
      keepMetadata(pod, old);
      dropDisabledFields(pod, old, facts.gates);
    },
    validateUpdate: (errors, pod, old) => addEphemeralContainersErrors(errors, pod, old, facts),
    warningsOnUpdate: () => [],
  };
}

function addEphemeralContainersErrors(
  errors: Findings,
  pod: KubeObject,
  old: KubeObject,
  { gates, schema }: StrategyFacts,
): void {
  if (old.metadata.annotations?.[mirrorAnnotation] !== undefined) {
    errors.push(fieldForbidden("[]", "static pods do not support ephemeral containers"));
    return;
  }
  addChangedPodErrors(errors, pod, old, podValidationOptions(gates, pod.metadata.name ?? "", old));
  const now = new Map(
    listAt(pod, "spec", "ephemeralContainers").map((container) => [textAt(container, "name"), container]),
  );
  for (const before of listAt(old, "spec", "ephemeralContainers")) {
    const after = now.get(textAt(before, "name"));
    if (after !== undefined && jsonEqual(after, before)) continue;
    const container = `existing ephemeral containers ${goQuote(textAt(before, "name"))}`;
    if (after === undefined) {
      errors.push(fieldForbidden("spec.ephemeralContainers", `${container} may not be removed\n`));
      continue;
    }
    const diff = ephemeralContainerDiff(schema, before, after);
    errors.push(
      fieldForbidden(
        "spec.ephemeralContainers",
        (since, goTypes) => `${container} may not be changed\n${diff(since, goTypes)}`,
      ),
    );
  }
}
