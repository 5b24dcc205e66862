import { listAt, structAt, textAt } from "../../apimachinery/fields.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { Release } from "../../apimachinery/release.ts";
import { mutationDeclarations, patchForm } from "../../cel/mutation-types.ts";
import type { MatchConditions } from "../expressions/match-conditions.ts";
import {
  PolicyCompiler,
  type PolicyExpression,
  type PolicyVariable,
  policyExpression,
} from "./policy-compiler.ts";

/** An expression that returns a patch, and the form of the patch. */
export interface Mutation extends PolicyExpression {
  readonly form: "applyConfiguration" | "jsonPatch";
}

/** A MutatingAdmissionPolicy whose expressions are compiled. */
export interface MutatingPolicy {
  readonly variables: readonly PolicyVariable[];
  readonly conditions: MatchConditions | undefined;
  readonly mutations: readonly Mutation[];
  /** Whether it sees the object again if something changes the object after it. */
  readonly isReinvocable: boolean;
}

/** Compiles a policy. What does not compile fails when it is evaluated. Upstream: apiserver, plugin/policy/mutating/compilation.go. */
export function mutatingPolicy(policy: KubeObject, release: Release): MutatingPolicy {
  const spec = structAt(policy, "spec");
  const compiler = new PolicyCompiler(spec, release, "full");
  const mutations = listAt(spec, "mutations").flatMap((mutation): Mutation[] => {
    const form = patchForm(textAt(mutation, "patchType"));
    if (form === undefined) return [];
    const expression = textAt(mutation, form.field, "expression");
    const environment = compiler.environmentWith(mutationDeclarations(expression));
    return [{ ...policyExpression(expression, environment, [form.returned]), form: form.field }];
  });
  const isReinvocable = textAt(spec, "reinvocationPolicy") === "IfNeeded";
  const { variables, conditions } = compiler;
  return { variables, conditions, mutations, isReinvocable };
}
