import { checkOptions } from "../apimachinery/option-checks.ts";
import type { Release } from "../apimachinery/release.ts";
import type { Faults } from "../scenario/faults.ts";
import type { RequestLog } from "../scenario/request-log.ts";
import { checkUnserved } from "../scenario/unserved-requests.ts";
import type { CheckOptions } from "./method-options.ts";
import { checkOptionTypes } from "./option-types.ts";
import { type ClientNames, withNames } from "./service-name/client-names.ts";

/** What a test ends with. */
interface CheckedCluster {
  readonly faults: Pick<Faults, "check">;
  readonly log: Pick<RequestLog, "unserved">;
  readonly names: ClientNames;
  readonly release: Release;
}

/**
 * Checks that every fault has struck, and that clients requested only paths that are served.
 * @throws {Error} of the check that fails; an AggregateError if several do
 */
export function runChecks({ faults, log, names, release }: CheckedCluster, options: CheckOptions): void {
  checkOptions("check", options, checkOptionTypes);
  const { allowUnserved = [] } = options;
  const served = () => checkUnserved(names.real(log.unserved), names.real(allowUnserved), release);
  const checks = [() => faults.check(), () => withNames(names, served)];
  const errors = checks.flatMap((check) => errorOf(check) ?? []);
  const [first, ...others] = errors;
  if (others.length > 0) throw new AggregateError(errors, errors.map(({ message }) => message).join("\n"));
  if (first !== undefined) throw first;
}

function errorOf(check: () => void): Error | undefined {
  try {
    check();
  } catch (error) {
    if (error instanceof Error) return error;
    throw error;
  }
  return undefined;
}
