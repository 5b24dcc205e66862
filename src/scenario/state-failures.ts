import { expired } from "../apimachinery/errors/errors.ts";
import type { FailureDefinitions } from "./failure-definition.ts";
import { type Scenario, scenario } from "./scenario.ts";
import type { ScenarioOptions } from "./scenario-options.ts";

/** The definitions of the failures in this file. */
export const stateFailures: FailureDefinitions<"conflict" | "continueExpired"> = {
  conflict: { verbs: ["update", "patch", "delete"], scope: { verb: ["update", "patch"] } },
  continueExpired: {
    verbs: ["list"],
    scope: { verb: "list" },
    options: { page: { type: "integer", least: 2 }, inconsistent: { type: "boolean" } },
  },
};

/**
 * Another client changes the object between this client's read and its write, which is then refused with 409. Faithful
 * on every transport.
 */
export function conflict(options: ScenarioOptions = {}): Scenario {
  return scenario("conflict", stateFailures.conflict, options, async ({ raceWriter, answer }) => {
    await raceWriter();
    return answer();
  });
}

/** Which page of a list fails. */
export interface ContinueExpiredOptions extends ScenarioOptions {
  /** Counted from 1; the first is the one without a token. Default: 2. */
  readonly page?: number;
  /** Whether the refusal carries a token that continues at the newest state. Default: true, as in kube-apiserver. */
  readonly inconsistent?: boolean;
}

/** Answers 410: the continue token of a list has expired. Faithful on every transport. */
export function continueExpired(options: ContinueExpiredOptions = {}): Scenario {
  const { page = 2, inconsistent = true, nth = page } = options;
  return scenario(
    "continueExpired",
    stateFailures.continueExpired,
    { ...options, nth },
    async ({ query, answer, expireHistory }) => {
      if (!inconsistent && query.has("continue")) throw expired(continueTooOld);
      expireHistory();
      return answer();
    },
  );
}

const continueTooOld = "The provided continue parameter is too old to display a consistent list result.";
