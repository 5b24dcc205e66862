import { describe, expect, test } from "vitest";
import { catalogOf } from "../../catalog/catalog.ts";
import { featureGates } from "../../catalog/feature-gates.ts";
import { formatsOf } from "../../codec/media-types/formats.ts";
import { plainRequest } from "../../request/plain-request.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";
import type { ResourceContext } from "../contract/scope.ts";
import { ignoreReadError, parseDeleteOptions } from "./delete-options.ts";

const unsafe = new Map([["AllowUnsafeMalformedObjectDeletion", true]]);

/** The options of a DELETE with this query or this body. The function reads no other parts. */
function parsed(
  query: string,
  body?: string,
  release: "1.16" | "1.32" = "1.32",
  gate = new Map<string, boolean>(),
) {
  const gates = featureGates(release, gate);
  const request = plainRequest({
    method: "DELETE",
    target: "/",
    headers: new Map([["content-type", "application/json"]]),
    ...(body !== undefined && { body: new TextEncoder().encode(body) }),
  });
  const context = { request, query: new URLSearchParams(query) } as unknown as ResourceContext;
  const environment = { gates, formats: formatsOf(gates), catalog: catalogOf({ release }) };
  return parseDeleteOptions(context, environment as unknown as EndpointEnvironment);
}

const absent = {
  dryRun: false,
  gracePeriodSeconds: undefined,
  preconditions: {},
  orphanDependents: undefined,
  propagationPolicy: undefined,
  ignoresReadError: false,
};

describe("the options of a delete", () => {
  test.each<[query: string, body: string, options: object]>([
    ["", "{}", {}],
    ["dryRun=All", '{"dryRun":["All"]}', { dryRun: true }],
    ["gracePeriodSeconds=5", '{"gracePeriodSeconds":5}', { gracePeriodSeconds: 5 }],
    ["gracePeriodSeconds=0", '{"gracePeriodSeconds":0}', { gracePeriodSeconds: 0 }],
    // A negative period is the shortest one.
    ["gracePeriodSeconds=-7", '{"gracePeriodSeconds":-7}', { gracePeriodSeconds: 1 }],
    ["orphanDependents=true", '{"orphanDependents":true}', { orphanDependents: true }],
    ["orphanDependents=false", '{"orphanDependents":false}', { orphanDependents: false }],
    ["propagationPolicy=Orphan", '{"propagationPolicy":"Orphan"}', { propagationPolicy: "Orphan" }],
    [
      "propagationPolicy=Background",
      '{"propagationPolicy":"Background"}',
      { propagationPolicy: "Background" },
    ],
    [
      "propagationPolicy=Foreground",
      '{"propagationPolicy":"Foreground"}',
      { propagationPolicy: "Foreground" },
    ],
    ["uid=u", '{"preconditions":{"uid":"u"}}', { preconditions: { uid: "u" } }],
    [
      "uid=u&resourceVersion=5",
      '{"preconditions":{"uid":"u","resourceVersion":"5"}}',
      { preconditions: { uid: "u", resourceVersion: "5" } },
    ],
    [
      "resourceVersion=5",
      '{"preconditions":{"resourceVersion":"5"}}',
      { preconditions: { resourceVersion: "5" } },
    ],
    ["uid=", '{"preconditions":null}', {}],
    [`${ignoreReadError}=true`, `{"${ignoreReadError}":true}`, {}],
  ])("come from the query %j as from the body %j", async (query, body, options) => {
    expect(await parsed(query)).toEqual({ ...absent, ...options });
    expect(await parsed("", body)).toEqual({ ...absent, ...options });
  });

  test("come from the body alone if there is one", async () => {
    expect(await parsed("dryRun=All&uid=u", "{}")).toEqual(absent);
  });

  test("have no preconditions in the query before 1.17", async () => {
    expect(await parsed("uid=u", undefined, "1.16")).toEqual(absent);
  });

  test.each<[query: string, message: RegExp]>([
    [
      "propagationPolicy=x",
      /propagationPolicy: Unsupported value: "x": supported values: "Foreground", "Background", "Orphan", "nil"$/,
    ],
    ["propagationPolicy=", /propagationPolicy: Unsupported value: ""/],
    [
      "propagationPolicy=Orphan&orphanDependents=false",
      /orphanDependents and deletionPropagation cannot be both set$/,
    ],
    ["dryRun=x", /dryRun: Unsupported value: \[\]string\{"x"\}: supported values: "All"$/],
  ])("cannot be %j", async (query, message) => {
    await expect(parsed(query)).rejects.toThrow(/^DeleteOptions\.meta\.k8s\.io "" is invalid: /);
    await expect(parsed(query)).rejects.toThrow(message);
  });

  test.each([
    ["not JSON", "x"],
    ["a list", "[]"],
    ["of another kind", '{"kind":"Pod","apiVersion":"v1"}'],
  ])("cannot be a body that is %s", async (_title, body) => {
    await expect(parsed("", body)).rejects.toMatchObject({ code: 500 });
  });
});

describe("the option that ignores errors of reads", () => {
  test("has an effect with its feature gate alone", async () => {
    const query = `${ignoreReadError}=true`;
    expect((await parsed(query)).ignoresReadError).toBe(false);
    expect((await parsed(query, undefined, "1.32", unsafe)).ignoresReadError).toBe(true);
    expect((await parsed(`${ignoreReadError}=false&dryRun=All`, undefined, "1.32", unsafe)).dryRun).toBe(
      true,
    );
  });

  test.each([
    ["dryRun=All", "dryRun"],
    ["propagationPolicy=Orphan", "propagationPolicy"],
    ["orphanDependents=true", "orphanDependents"],
    ["gracePeriodSeconds=0", "gracePeriodSeconds"],
    ["uid=u", "preconditions"],
  ])("excludes %s", async (query, name) => {
    const both = parsed(`${ignoreReadError}=true&${query}`, undefined, "1.32", unsafe);
    await expect(both).rejects.toThrow(
      `${ignoreReadError}: Invalid value: true: cannot be set together with .${name}`,
    );
  });
});
