import { listAt, structAt, textAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { types } from "../../cel/types/cel-type.ts";
import type { MatchConditions } from "../expressions/match-conditions.ts";
import {
  PolicyCompiler,
  type PolicyExpression,
  type PolicyVariable,
  policyExpression,
} from "./policy-compiler.ts";
import type { PolicyEnvironment } from "./policy-environment.ts";

/** A validation of a policy. */
export interface Validation extends PolicyExpression {
  readonly message: string;
  /** Undefined if the message is not computed. */
  readonly messageExpression: PolicyExpression | undefined;
  readonly reason: "Forbidden" | "Invalid" | "RequestEntityTooLarge" | "Unauthorized";
}

export interface AuditAnnotation extends PolicyExpression {
  readonly key: string;
}

/** A ValidatingAdmissionPolicy whose expressions are compiled. */
export interface ValidatingPolicy {
  readonly variables: readonly PolicyVariable[];
  readonly conditions: MatchConditions | undefined;
  readonly validations: readonly Validation[];
  readonly annotations: readonly AuditAnnotation[];
  /** The number of computed messages. */
  readonly messages: number;
}

/** Compiles a policy. What does not compile fails when it is evaluated. Upstream: apiserver, plugin/policy/validating/plugin.go. */
export function validatingPolicy(
  policy: KubeObject,
  { release, gates }: Pick<PolicyEnvironment, "gates" | "release">,
): ValidatingPolicy {
  const spec = structAt(policy, "spec");
  const libraryCosts = gates.isEnabled("StrictCostEnforcementForVAP") ? "full" : "one";
  const compiler = new PolicyCompiler(spec, release, libraryCosts);
  const { variables, conditions, environment } = compiler;
  const ofMessages = compiler.environmentWith({ hasAuthorizer: false });
  const validations = listAt(spec, "validations").map((validation): Validation => {
    const message = textAt(validation, "messageExpression");
    return {
      ...policyExpression(textAt(validation, "expression"), environment, [types.bool]),
      message: textAt(validation, "message"),
      messageExpression: message === "" ? undefined : policyExpression(message, ofMessages, [types.string]),
      reason: reasonOf(validation),
    };
  });
  const annotations = listAt(spec, "auditAnnotations").map((annotation) => ({
    ...policyExpression(textAt(annotation, "valueExpression"), environment, [types.string, types.null]),
    key: textAt(annotation, "key"),
  }));
  const messages = validations.filter(({ messageExpression }) => messageExpression !== undefined).length;
  return { variables, conditions, validations, annotations, messages };
}

function reasonOf(validation: JsonObject): Validation["reason"] {
  const reason = textAt(validation, "reason");
  switch (reason) {
    case "Forbidden":
    case "RequestEntityTooLarge":
    case "Unauthorized":
      return reason;
    default:
      return "Invalid";
  }
}
