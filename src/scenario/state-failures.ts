import { expired } from "../apimachinery/errors/errors.ts";
import { type Scenario, type ScenarioOptions, scenario } from "./scenario.ts";

/**
 * Another client changes the object between this client's read and its write, which is then refused with 409. Faithful
 * on every transport.
 */
export function conflict(options: ScenarioOptions = {}): Scenario {
  return scenario("conflict", options, { verb: ["update", "patch"] }, async ({ raceWriter, answer }) => {
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
  const wanted = { ...options, nth };
  return scenario("continueExpired", wanted, { verb: "list" }, async ({ query, answer, expireHistory }) => {
    if (!inconsistent && query.has("continue")) throw expired(continueTooOld);
    expireHistory();
    return answer();
  });
}

const continueTooOld = "The provided continue parameter is too old to display a consistent list result.";
