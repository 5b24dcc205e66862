import type { JsonObject } from "../apimachinery/json.ts";
import { nearestName } from "../apimachinery/nearest-name.ts";
import { optionsFromText } from "../apimachinery/option-text.ts";
import { answerShapes } from "./answer-shapes.ts";
import { clusterFailures } from "./cluster-failures.ts";
import { connectedStreams } from "./connected-streams.ts";
import { connectionFaults } from "./connection-faults.ts";
import { delayedResponses } from "./delayed-response.ts";
import { checkFailureOptions, type FailureDefinitions, optionTypesOf } from "./failure-definition.ts";
import { groupOutages } from "./group-down.ts";
import { laggingReads } from "./lagging-reads.ts";
import { lostRights } from "./lost-rights.ts";
import { outages } from "./outages.ts";
import type * as lives from "./pod-lives.ts";
import * as presets from "./presets.ts";
import { refusals } from "./refusals.ts";
import type { Scenario } from "./scenario.ts";
import { slowConsumers } from "./slow-consumer.ts";
import { slowness } from "./slowness.ts";
import { stalledLogs } from "./stalled-log.ts";
import { stateFailures } from "./state-failures.ts";
import { streamBytes } from "./stream-bytes.ts";
import { upgradeRefusals } from "./upgrade-refusals.ts";
import { watchFailures } from "./watch-failures.ts";
import { watchProgress } from "./watch-progress.ts";

/** The name of a failure: an export of `kubedouble/scenarios` that creates a scenario. */
export type FailureName = Exclude<keyof typeof presets, "whileDisconnected" | keyof typeof lives>;

const { deleteReturns, whileDisconnected: _, ...makers } = presets;

/** What every failure accepts and can affect. */
export const failureDefinitions: FailureDefinitions<FailureName> = {
  ...answerShapes,
  ...clusterFailures,
  ...connectionFaults,
  ...connectedStreams,
  ...delayedResponses,
  ...groupOutages,
  ...laggingReads,
  ...lostRights,
  ...outages,
  ...refusals,
  ...slowConsumers,
  ...slowness,
  ...stateFailures,
  ...stalledLogs,
  ...streamBytes,
  ...upgradeRefusals,
  ...watchFailures,
  ...watchProgress,
};

/**
 * A scenario by its name and plain options, such as `namedScenario("conflict", { resource: "pods", times: 2 })`. JSON has
 * no Infinity, so numbers without a limit are the string `"Infinity"`.
 * @throws {Error} for an unknown name, option or value; the message says what is accepted
 */
export function namedScenario(name: string, options: JsonObject): Scenario {
  if (!isFailureName(name)) throw new Error(unknownFailure(name));
  const definition = failureDefinitions[name];
  const types = optionTypesOf(definition);
  const values = Object.entries(options).map(([option, value]) => {
    const type = Object.hasOwn(types, option) ? types[option] : undefined;
    const isUnlimited = value === "Infinity" && type?.isValid(Number.POSITIVE_INFINITY) === true;
    return [option, isUnlimited ? Number.POSITIVE_INFINITY : value];
  });
  const given = Object.fromEntries(values);
  checkFailureOptions(name, definition, given);
  if (name === "deleteReturns") {
    const { returns, ...rest } = given;
    return deleteReturns(returns, rest);
  }
  // The options are checked, and the other failures have them as their only parameter.
  const create = makers[name] as (options: object) => Scenario;
  return create(given);
}

/**
 * A scenario from text, such as `conflict:resource=deployments,times=2` or `throttle:verb=get|list`.
 * @throws {Error} for an unknown name, option or value, and for an option without a value
 */
export function parseScenario(text: string): Scenario {
  const colon = text.indexOf(":");
  const name = colon < 0 ? text : text.slice(0, colon);
  if (!isFailureName(name)) throw new Error(unknownFailure(name));
  const types = optionTypesOf(failureDefinitions[name]);
  const options = optionsFromText(name, colon < 0 ? undefined : text.slice(colon + 1), types);
  return namedScenario(name, options);
}

function isFailureName(name: string): name is FailureName {
  return Object.hasOwn(failureDefinitions, name);
}

function unknownFailure(name: string): string {
  const names = Object.keys(failureDefinitions).sort();
  const nearest = nearestName(name, names);
  const advice = nearest === undefined ? `the failures are ${names.join(", ")}` : `did you mean ${nearest}?`;
  return `there is no failure ${JSON.stringify(name)}; ${advice}`;
}
