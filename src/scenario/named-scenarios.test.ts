import { describe, expect, test } from "vitest";
import { namedScenario, parseScenario } from "./named-scenarios.ts";
import * as presets from "./presets.ts";
import type { Scenario } from "./scenario.ts";

/** The members of a scenario that its options decide. */
function told({ name, scope, after, times, milliseconds }: Scenario): object {
  return { name, scope, after, times, milliseconds };
}

describe("a scenario by its name", () => {
  test.each<[string, Scenario, Scenario]>([
    ["without options", namedScenario("conflict", {}), presets.conflict()],
    [
      "with a scope and numbers",
      namedScenario("conflict", { resource: "deployments", times: 2, nth: 3, lasting: "5s" }),
      presets.conflict({ resource: "deployments", times: 2, nth: 3, lasting: "5s" }),
    ],
    [
      "with a list and without a limit",
      namedScenario("throttle", { verb: ["get", "list"], times: "Infinity" }),
      presets.throttle({ verb: ["get", "list"], times: Number.POSITIVE_INFINITY }),
    ],
    [
      "with the argument of its function",
      namedScenario("deleteReturns", { returns: "status", resource: "pods" }),
      presets.deleteReturns("status", { resource: "pods" }),
    ],
    [
      "with its own options",
      namedScenario("groupDown", { group: "batch", version: "v1" }),
      presets.groupDown({ group: "batch", version: "v1" }),
    ],
    ["from text without options", parseScenario("down"), presets.down()],
    [
      "from text with options of several types",
      parseScenario(
        "throttle:verb=get|list,path=/api/v1/pods,times=Infinity,nth=2,lasting=1m,retryAfter=false",
      ),
      presets.throttle({
        verb: ["get", "list"],
        path: "/api/v1/pods",
        times: Number.POSITIVE_INFINITY,
        nth: 2,
        lasting: "1m",
        retryAfter: false,
      }),
    ],
    [
      "from text with a number of a choice and a boolean",
      parseScenario("streamError:code=429,close=false"),
      presets.streamError({ code: 429, close: false }),
    ],
    [
      "from text with a required option",
      parseScenario("latency:milliseconds=50"),
      presets.latency({ milliseconds: 50 }),
    ],
    [
      "from text with a list of one",
      parseScenario("emptyAsNull:fields=data"),
      presets.emptyAsNull({ fields: ["data"] }),
    ],
    [
      "from text with an argument",
      parseScenario("deleteReturns:returns=object"),
      presets.deleteReturns("object"),
    ],
  ])("%s", (_title, named, expected) => {
    expect(told(named)).toEqual(told(expected));
  });

  test.each([
    [
      "an unknown name",
      () => parseScenario("conflct"),
      'there is no failure "conflct"; did you mean conflict?',
    ],
    ["an inherited name", () => namedScenario("toString", {}), 'there is no failure "toString"; '],
    [
      "text without a value",
      () => parseScenario("conflict:times"),
      'conflict: "times" is not an option; write option=value',
    ],
    [
      "an option twice",
      () => parseScenario("conflict:nth=1,nth=2"),
      "conflict: the option nth is given twice",
    ],
    [
      "a value of the wrong type",
      () => parseScenario("conflict:times=two"),
      'conflict: times must be an integer of at least 1, or Infinity, not "two"',
    ],
    [
      "a missing argument",
      () => namedScenario("deleteReturns", {}),
      'deleteReturns needs the option returns: "object" or "status"',
    ],
  ])("%s is an error", (_title, create, message) => {
    expect(create).toThrow(message);
  });
});

const { deleteReturns: _, whileDisconnected: __, ...makers } = presets;

/** Calls a failure as JavaScript does. */
function called(name: keyof typeof makers, options: object): () => Scenario {
  // The compiler does not check the options.
  const create = makers[name] as (options: object) => Scenario;
  return () => create(options);
}

describe("the function of a failure refuses", () => {
  test.each([
    ["conflict", { resoruce: "pods" }, 'conflict: unknown option "resoruce"; did you mean "resource"?'],
    ["conflict", { xyzzy: 1 }, 'conflict: unknown option "xyzzy"; known: verb, group, resource'],
    ["conflict", { times: 0 }, "conflict: times must be an integer of at least 1, or Infinity, not 0"],
    ["conflict", { times: 1.5 }, "conflict: times must be an integer of at least 1, or Infinity, not 1.5"],
    ["conflict", { nth: 0 }, "conflict: nth must be an integer of at least 1, not 0"],
    [
      "conflict",
      { lasting: "5 s" },
      'conflict: lasting must be a number of milliseconds greater than 0, or a duration such as "5s", not "5 s"',
    ],
    [
      "conflict",
      { resource: [] },
      "conflict: resource must be text, or a list of texts that is not empty, not []",
    ],
    [
      "conflict",
      { path: "api" },
      'conflict: path must be text that begins with a slash, or a regular expression, not "api"',
    ],
    ["conflict", { verb: "udpate" }, 'conflict: there is no verb "udpate"; did you mean "update"?'],
    [
      "conflict",
      { verb: "list" },
      "conflict cannot affect requests with the verb list, only update, patch and delete",
    ],
    ["conflict", { verb: ["update", "get"] }, "conflict cannot affect requests with the verb get"],
    ["watchGone", { verb: "list" }, "watchGone cannot affect requests with the verb list, only watch"],
    [
      "watchGone",
      { at: "opne" },
      'watchGone: at must be "open" or "stream", not "opne"; did you mean "open"?',
    ],
    ["watchGone", { afterEvents: -1 }, "watchGone: afterEvents must be an integer of at least 0, not -1"],
    ["watchGone", { close: "no" }, 'watchGone: close must be true or false, not "no"'],
    ["streamError", { code: 503 }, "streamError: code must be 429 or 500, not 503"],
    ["continueExpired", { page: 1 }, "continueExpired: page must be an integer of at least 2, not 1"],
    [
      "throttle",
      { retryAfter: true },
      "throttle: retryAfter must be an integer of at least 0, or false, not true",
    ],
    [
      "latency",
      {},
      "latency needs the option milliseconds: a number of milliseconds greater than 0, or a function",
    ],
    ["crdNotReady", { group: "batch" }, "crdNotReady needs the option version: text that is not empty"],
    ["crdNotReady", { group: "batch", version: "v1", path: "/apis" }, 'crdNotReady: unknown option "path"'],
    ["down", { resource: "pods" }, 'down: unknown option "resource"; known: lasting'],
    [
      "emptyAsNull",
      { fields: "items" },
      'emptyAsNull: fields must be a list of texts that is not empty, not "items"',
    ],
  ] as const)("%s: %o", (name, options, message) => {
    expect(called(name, options)).toThrow(message);
  });
});
