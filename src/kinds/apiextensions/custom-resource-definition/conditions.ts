import { listAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { formatTime } from "../../../apimachinery/time.ts";

/** A condition of a definition without its time. */
export interface DefinitionCondition {
  readonly type: "NamesAccepted" | "Established" | "Terminating" | "KubernetesAPIApprovalPolicyConformant";
  readonly status: "True" | "False";
  readonly reason: string;
  readonly message: string;
}

/** The condition of a definition, if it has it. */
export function conditionOf(
  definition: KubeObject,
  type: DefinitionCondition["type"],
): JsonObject | undefined {
  return listAt(definition, "status", "conditions").find((condition) => condition["type"] === type);
}

/** Whether a definition has a condition that is true. */
export function isConditionTrue(definition: KubeObject, type: DefinitionCondition["type"]): boolean {
  return conditionOf(definition, type)?.["status"] === "True";
}

/** A condition of any object without its time. */
interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

/** The conditions with another one set. Its time is that of the last change of its status. Upstream: SetCRDCondition. */
export function withCondition(
  conditions: readonly JsonObject[],
  { type, status, reason, message }: Condition,
  now: number,
): readonly JsonObject[] {
  const known = conditions.find((condition) => condition["type"] === type);
  const isKept = known?.["status"] === status && typeof known["lastTransitionTime"] === "string";
  const lastTransitionTime = isKept ? known["lastTransitionTime"] : formatTime(now);
  const condition: JsonObject = {
    type,
    status,
    lastTransitionTime: lastTransitionTime ?? null,
    reason,
    message,
  };
  if (known === undefined) return [...conditions, condition];
  return conditions.map((one) => (one === known ? condition : one));
}
