import { expired, StatusError } from "../apimachinery/errors/errors.ts";
import { boolean, integerFrom } from "../apimachinery/option-types.ts";
import type { StatusReason } from "../apimachinery/status.ts";
import type { ApiResponse } from "../request/handler.ts";
import { lacksResourceVersion } from "./expected-resource-version.ts";
import type { FailureDefinitions } from "./failure-definition.ts";
import { ListPages } from "./list-pages.ts";
import { type FaultContext, type Need, type Scenario, scenario } from "./scenario.ts";
import type { ScenarioOptions } from "./scenario-options.ts";

/** The definitions of the failures in this file. */
export const stateFailures: FailureDefinitions<"conflict" | "continueExpired"> = {
  conflict: { verbs: ["update", "patch", "delete"], scope: { verb: ["update", "patch"] } },
  continueExpired: {
    verbs: ["list"],
    scope: { verb: "list" },
    options: { page: integerFrom(2), inconsistent: boolean },
  },
};

/**
 * Another client changes the object between this client's read and its write, which is then refused with 409. Only writes
 * that name the resourceVersion they expect are affected, as in kube-apiserver. Faithful on every transport.
 */
export function conflict(options: ScenarioOptions = {}): Scenario {
  const effect: Scenario["effect"] = async (server) => {
    await server.raceWriter();
    return refusedWith("Conflict", server);
  };
  return scenario("conflict", stateFailures.conflict, options, effect, { lacks: lacksResourceVersion });
}

/** The server's answer, which is a hit if the server refuses the request for this reason. */
export async function refusedWith(
  reason: StatusReason,
  { answer, struck, missed }: FaultContext,
): Promise<ApiResponse> {
  try {
    const answered = await answer();
    missed(`the server answered ${answered.status}`);
    return answered;
  } catch (error) {
    if (error instanceof StatusError && error.status.reason === reason) struck();
    throw error;
  }
}

/** Which page of a list fails. */
export interface ContinueExpiredOptions extends ScenarioOptions {
  /** From 2, the request with the continue token of the first page. Default: 2. */
  readonly page?: number;
  /** Whether the refusal carries a token that continues at the newest state. Default: true, as in kube-apiserver. */
  readonly inconsistent?: boolean;
}

/** Answers 410: the continue token of a list has expired. Faithful on every transport. */
export function continueExpired(options: ContinueExpiredOptions = {}): Scenario {
  const { page = 2, inconsistent = true } = options;
  const effect: Scenario["effect"] = async (server) => {
    if (!inconsistent) throw expired(continueTooOld);
    server.expireHistory();
    return refusedWith("Expired", server);
  };
  const pages = new ListPages();
  const need: Need = {
    text: `for page ${page} of a list`,
    reason: `it needs the continue token of page ${page - 1} of a list`,
    holds: (request) => pages.pageOf(request) === page,
  };
  return scenario("continueExpired", stateFailures.continueExpired, options, effect, { need });
}

const continueTooOld = "The provided continue parameter is too old to display a consistent list result.";
