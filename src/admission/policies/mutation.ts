import type { KubeObject, MutableKubeObject } from "../../apimachinery/object-meta.ts";
import type { ObjectInterfaces, ObjectVersion } from "../contract/object-interfaces.ts";
import { costBudget, type Evaluation, ExpressionRun, OutOfBudget, type RunInput } from "./expression-run.ts";
import { mutatedObject } from "./mutated-object.ts";
import type { Mutation } from "./mutating-policy.ts";
import { MutationError } from "./mutation-value.ts";

/** The object that a mutation made, undefined if it left the object as it is, or why the mutation failed. */
export type MutationResult = { readonly cost: number } & (
  | {
      readonly object: MutableKubeObject | undefined;
      readonly problem?: never;
      readonly errorType: "no_error";
    }
  | {
      readonly problem: string;
      readonly object?: never;
      readonly errorType: "compile_error" | "invalid_error" | "out_of_budget";
    }
);

/**
 * Evaluates the expression of a mutation, with a budget of its own, and applies the patch to an object in the form in which clients see
 * it. Upstream: apiserver, plugin/policy/mutating/patch.
 * @throws {StatusError} internalError if the patched object cannot be decoded
 */
export function mutate(
  mutation: Mutation,
  input: RunInput,
  object: KubeObject,
  version: ObjectVersion,
  objects: ObjectInterfaces,
): MutationResult {
  const run = new ExpressionRun(input, "with authorizer", costBudget);
  const failed = (problem: string, errorType: "compile_error" | "invalid_error" | "out_of_budget") => {
    return { problem, errorType, cost: costBudget - run.remaining };
  };
  if ("problem" in mutation.program) return failed(mutation.program.problem, "compile_error");
  try {
    const { value, error }: Evaluation = run.evaluate(mutation);
    if (error !== undefined) return failed(error, "invalid_error");
    const made = mutatedObject(mutation, value, object, version, objects);
    return { object: made, errorType: "no_error", cost: costBudget - run.remaining };
  } catch (error) {
    if (error instanceof OutOfBudget) return failed(error.message, "out_of_budget");
    if (error instanceof MutationError) return failed(error.message, "invalid_error");
    throw error;
  }
}
