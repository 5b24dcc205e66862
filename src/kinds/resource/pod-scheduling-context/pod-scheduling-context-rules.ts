import { fieldDuplicate, fieldLongerThan, fieldTooMany } from "../../../apimachinery/errors/field.ts";
import { listAt, textAt, textsAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import { addSubdomain, type Findings } from "../../../apimachinery/validation/findings.ts";
import { repeats } from "../../../apimachinery/validation/repeats.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import type { StrategyFacts } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { validateAsNew } from "../../../registry/contract/validate-as-new.ts";
import { statusStrategy } from "../../../registry/subresources/status.ts";

const mostNodes = 128;

export const podSchedulingContextRules: BuiltInRules<"podschedulingcontexts"> = {
  strategy: podSchedulingStrategy,
  subresources: { status: { strategy: podSchedulingStatusStrategy } },
};

/** The same for the kind of 1.26. */
export const podSchedulingRules: BuiltInRules<"podschedulings"> = {
  strategy: podSchedulingStrategy,
  subresources: { status: { strategy: podSchedulingStatusStrategy } },
};

/** Upstream: pkg/apis/resource/validation/validation.go of 1.27, ValidatePodSchedulingContexts. */
export function podSchedulingStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  const validate = (errors: Findings, context: KubeObject) =>
    addNodeErrors(errors, textsAt(context, "spec", "potentialNodes"), "spec.potentialNodes", gates);
  return validateAsNew({ ...base, validate, validateUpdate: validate }, "Namespaced");
}

/** `/status` holds what the drivers say about nodes. */
export function podSchedulingStatusStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  return {
    ...statusStrategy(base),
    validateUpdate: (errors, context) => {
      // Upstream's path has another name than the field.
      const field = "status.claims";
      const claims = listAt(context, "status", "resourceClaims");
      const isRepeated = repeats(claims.map((claim) => textAt(claim, "name")));
      for (const [i, claim] of claims.entries()) {
        const at = index(field, i);
        addNodeErrors(errors, textsAt(claim, "unsuitableNodes"), child(at, "unsuitableNodes"), gates);
        if (isRepeated[i]) errors.push(fieldDuplicate(at, textAt(claim, "name")));
      }
    },
  };
}

/** Validates a set of names of nodes. Until 1.30, those that are repeated are not validated again. */
function addNodeErrors(
  errors: Findings,
  nodes: readonly string[],
  field: string,
  { since }: Pick<FeatureGates, "since">,
): void {
  const isRepeated = repeats(nodes);
  const isLate = since("1.31");
  for (const [i, node] of nodes.entries()) {
    if (isRepeated[i] && !isLate) errors.push(fieldDuplicate(index(field, i), node));
    else addSubdomain(errors, node, index(field, i));
  }
  if (nodes.length > mostNodes)
    errors.push(isLate ? fieldTooMany(field, nodes.length, mostNodes) : fieldLongerThan(field, mostNodes));
  if (!isLate) return;
  for (const [i, node] of nodes.entries())
    if (isRepeated[i]) errors.push(fieldDuplicate(index(field, i), node));
}
