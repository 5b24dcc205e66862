import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { knownGates } from "../../src/catalog/feature-gates.ts";
import { controllerNames, simulatedControllerNames } from "../../src/controllers/enabled-controllers.ts";
import { type ClusterOptions, createCluster } from "../../src/index.ts";
import { serve } from "../../src/transports/node/serve.ts";

/** What only JavaScript can pass. */
function wrong(value: unknown): never {
  // The tests are about values that the types exclude.
  return value as never;
}

test.each<[string, unknown, string]>([
  ["null", null, "createCluster: the options must be an object, not null"],
  [
    "a misspelt option",
    { relase: "1.30" },
    'createCluster: unknown option "relase"; did you mean "release"?',
  ],
  [
    "a release as a number",
    { release: 1.32 },
    'createCluster: release must be text such as "1.32", not 1.32',
  ],
  [
    "an unknown release",
    { release: "1.99" },
    'release "1.99" is not supported: choose one from 1.16 to 1.36',
  ],
  [
    "an unknown mode",
    { authorizationMode: "rbac" },
    'createCluster: authorizationMode must be "AlwaysAllow", "AlwaysDeny", "ABAC", "Webhook", "RBAC" or "Node", or a list of them, not "rbac"',
  ],
  [
    "an unknown controller",
    { controllers: ["*", "-garbage-colector-controller"] },
    'createCluster: controllers: unknown controller "garbage-colector-controller"; did you mean "garbage-collector-controller"?',
  ],
  [
    "an unknown controller of simulated clusters",
    { controllers: ["-job-controler"] },
    'createCluster: controllers: unknown controller "job-controler"; did you mean "job-controller"?',
  ],
  [
    "a controller that only runs in a simulated cluster",
    { controllers: ["*", "job-controller"], simulate: ["scheduler"] },
    "createCluster: controllers: job-controller only runs in a simulated cluster; see the option simulate",
  ],
  [
    "a controller as text",
    { controllers: "*" },
    "createCluster: controllers must be a list of which each element is text",
  ],
  [
    "an unknown gate",
    { featureGates: { WatchLists: true } },
    'createCluster: featureGates: unknown gate "WatchLists"; did you mean "WatchList"?',
  ],
  [
    "a gate that the release locks",
    { release: "1.34", featureGates: { AuthorizeWithSelectors: false } },
    "createCluster: featureGates: cannot set feature gate AuthorizeWithSelectors to false, feature is locked to true",
  ],
  [
    "a gate that an old release locks",
    { release: "1.21", featureGates: { RunAsGroup: false } },
    "createCluster: featureGates: cannot set feature gate RunAsGroup to false, feature is locked to true",
  ],
  [
    "a gate that the release does not have any more",
    { release: "1.22", featureGates: { RunAsGroup: true } },
    "createCluster: featureGates: unrecognized feature gate: RunAsGroup",
  ],
  [
    "a gate that the emulated release does not have yet",
    { release: "1.35", emulatedVersion: "1.33", featureGates: { EnvFiles: true } },
    "createCluster: featureGates: cannot set feature gate EnvFiles to true, feature is PreAlpha at emulated version 1.33",
  ],
  [
    "a gate as text",
    { featureGates: new Map([["WatchList", "true"]]) },
    "createCluster: featureGates must be an object or a Map of which each value is true or false",
  ],
  ["gates in a list", { featureGates: ["WatchList"] }, 'each value is true or false, not ["WatchList"]'],
  [
    "a token without a user",
    { tokens: { secret: "alice" } },
    'each value is a user, such as { name: "alice"',
  ],
  ["tokens null", { tokens: null }, "createCluster: tokens must be an object or a Map"],
  [
    "a token for a user without a name",
    { tokens: { secret: { groups: [] } } },
    "createCluster: tokens must be",
  ],
  ["a seed as text", { seed: "1" }, 'createCluster: seed must be a number, not "1"'],
  [
    "a negative duration",
    { historyMilliseconds: -1 },
    "historyMilliseconds must be a number of at least 0, not -1",
  ],
  ["no capacity", { watchCapacity: 0 }, "watchCapacity must be a number of at least 1, not 0"],
  ["a clock that cannot advance", { clock: { now: () => 0 } }, "createCluster: clock must be a clock"],
  [
    "objects as a number",
    { objects: 5 },
    "createCluster: objects must be a manifest, YAML or JSON text, or a list",
  ],
  ["an object as a number", { objects: [5] }, "objects[0]: not an object: 5"],
  [
    "an audit level",
    { auditLevel: "Everything" },
    'auditLevel must be "Metadata", "Request" or "RequestResponse"',
  ],
  [
    "descriptions that are not those of a Swagger document",
    { openapiDescriptions: { openapi: "3.0.0" } },
    "createCluster: openapiDescriptions must be a Swagger document, an object with definitions",
  ],
  ["a range", { serviceNodePortRange: "many" }, "service node port range: many is not two ports"],
])("createCluster refuses %s", (_title, options, message) => {
  expect(() => createCluster(wrong(options))).toThrow(message);
});

describe("createCluster accepts", () => {
  const users = { secret: { name: "alice", groups: ["dev"] } };

  test.each<[string, ClusterOptions]>([
    ["a Map", { tokens: new Map(Object.entries(users)), featureGates: new Map([["HPAScaleToZero", true]]) }],
    ["a plain object", { tokens: users, featureGates: { HPAScaleToZero: true } }],
  ])("%s of tokens and of gates", async (_title, options) => {
    await using cluster = createCluster({ ...options, controllers: [], authorizationMode: "AlwaysDeny" });
    const response = await cluster.fetch("https://cluster.test/api/v1/pods", {
      headers: { Authorization: "Bearer secret" },
    });
    expect(response.status).toBe(403);
    expect(await response.text()).toContain('User \\"alice\\" cannot list');
  });

  test("a plain object as runtime config", async () => {
    await using cluster = createCluster({ runtimeConfig: { "apps/v1": false }, controllers: [] });
    expect((await cluster.fetch("https://cluster.test/apis/apps/v1/deployments")).status).toBe(404);
  });
});

test.each<[string, () => unknown, string]>([
  ["token without a name", () => createCluster().token(wrong(undefined)), "the name of a user must be text"],
  [
    "token with null",
    () => createCluster().token("a", wrong(null)),
    "user options: the options must be an object",
  ],
  [
    "as with one group",
    () => createCluster().as("alice", wrong({ groups: "dev" })),
    'user options: groups must be a list of which each element is text, not "dev"',
  ],
  [
    "as with a misspelt option",
    () => createCluster().as("a", wrong({ group: [] })),
    'did you mean "groups"?',
  ],
  [
    "kubeconfig without options",
    () => createCluster().kubeconfig(wrong(undefined)),
    "kubeconfig: the options must be",
  ],
  [
    "kubeconfig without a server",
    () => createCluster().kubeconfig(wrong({})),
    "kubeconfig: server must be text",
  ],
  ["restore of nothing", () => createCluster().restore(wrong(undefined)), "the snapshot to restore must be"],
  [
    "restore with an unknown mode",
    () => {
      const cluster = createCluster();
      cluster.restore(cluster.snapshot(), wrong({ watches: "close" }));
    },
    'restore: watches must be "end" or "keep", not "close"',
  ],
  [
    "check of a number",
    () => createCluster().check(wrong({ allowUnserved: 5 })),
    "check: allowUnserved must be",
  ],
  ["load of nothing", () => createCluster().load(wrong(undefined)), "objects: not an object: undefined"],
  [
    "load with an unknown mode",
    () => createCluster().load([], wrong({ onUnknown: "ignore" })),
    'load: onUnknown must be "error" or "skip", not "ignore"',
  ],
  [
    "create of nothing",
    () => createCluster().create(wrong(undefined)),
    "the object must be a manifest, not undefined",
  ],
  [
    "get without a name",
    () => createCluster().get("v1", "Pod", wrong(undefined)),
    "the name of an object must be text",
  ],
  ["advance by a word", () => createCluster().clock.advance("x"), 'time: invalid duration "x"'],
  [
    "advance by nothing",
    () => createCluster().clock.advance(wrong(undefined)),
    "cannot advance the time by undefined",
  ],
  [
    "serve on a port as text",
    () => serve(createCluster(), wrong({ port: "80" })),
    "serve: port must be a whole number",
  ],
  ["serve with a misspelt option", () => serve(createCluster(), wrong({ ports: 1 })), 'did you mean "port"?'],
])("%s is refused", async (_title, call, message) => {
  // Some calls throw, and some reject.
  await expect((async () => call())()).rejects.toThrow(message);
});

test("all gates and controllers that the code names are known", () => {
  const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((path) =>
    /(?<!\.test)\.ts$/.test(path),
  );
  const code = files.map((path) => readFileSync(`src/${path}`, "utf8")).join("\n");
  const gates = [
    ...code.matchAll(
      /(?:isEnabled\(|gatedField\(\s*|gate: |\b(?:fields|of[A-Z]\w+)\(\s*)"([A-Z][A-Za-z]+)"/g,
    ),
  ].map(([, name]) => name);
  expect(gates.length).toBeGreaterThan(50);
  expect(gates.filter((gate) => !knownGates().includes(gate ?? ""))).toEqual([]);
  const controllers = readdirSync("src/controllers", { recursive: true, encoding: "utf8" })
    .filter((path) => /(?<!\.test)\.ts$/.test(path))
    // Those of kube-apiserver itself cannot be disabled.
    .filter((path) => !/^(custom-resource-definitions|api-services)\b/.test(path))
    .flatMap((path) => [
      ...readFileSync(`src/controllers/${path}`, "utf8").matchAll(/(?:^ +|\{ )name: "([a-z-]+)",/gm),
    ])
    .map(([, name]) => name)
    .filter((name) => name !== "default");
  expect(controllers.toSorted()).toEqual(controllerNames.toSorted());
  const workloads = readdirSync("src/simulation/workloads", { recursive: true, encoding: "utf8" })
    .filter((path) => /(?<!\.test)\.ts$/.test(path))
    .flatMap((path) => [
      ...readFileSync(`src/simulation/workloads/${path}`, "utf8").matchAll(
        /^ +(?:name|controller): "([a-z-]+-controller)",/gm,
      ),
    ])
    .map(([, name]) => name ?? "");
  expect(workloads.toSorted()).toEqual(simulatedControllerNames.toSorted());
});
