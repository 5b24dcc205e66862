import type { FailureInEffect, SimulatedFailure } from "../../scenario/simulated-failures.ts";

/** The failures of the cluster itself that are in effect. */
export interface ClusterFailures {
  readonly current: readonly FailureInEffect[];
}

/** A failure in effect that is of a type. */
export type FailureOfType<Type extends SimulatedFailure["type"]> = FailureInEffect & {
  readonly failure: Extract<SimulatedFailure, { readonly type: Type }>;
};

/** The failures of one type that are in effect. */
export function failuresOfType<Type extends SimulatedFailure["type"]>(
  { current }: ClusterFailures,
  type: Type,
): readonly FailureOfType<Type>[] {
  return current.filter((one): one is FailureOfType<Type> => one.failure.type === type);
}
