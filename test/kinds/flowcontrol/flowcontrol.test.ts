import { describe, expect, test } from "vitest";
import { quietCluster, testClient } from "../../registry/test-client.ts";

const root = "/apis/flowcontrol.apiserver.k8s.io/v1";
const schemas = `${root}/flowschemas`;
const levels = `${root}/prioritylevelconfigurations`;

describe("a FlowSchema is refused for", () => {
  const good = { priorityLevelConfiguration: { name: "exempt" }, rules: [] };
  test.each<[string, object, readonly unknown[]]>([
    [
      "its order, method and level",
      { matchingPrecedence: 10001, distinguisherMethod: { type: "Q" } },
      [
        "spec.matchingPrecedence: Invalid value: 10001: must not be greater than 10000",
        'spec.distinguisherMethod.type: Unsupported value: flowcontrol.FlowDistinguisherMethod{Type:"Q"}: supported values: "ByNamespace", "ByUser"',
        "spec.priorityLevelConfiguration.name: Required value: must reference a priority level",
      ],
    ],
    [
      "a level that has no name",
      { priorityLevelConfiguration: { name: "A_" } },
      [
        expect.stringContaining(
          'spec.priorityLevelConfiguration.name: Invalid value: "A_": a lowercase RFC 1123 subdomain',
        ),
      ],
    ],
    [
      "being first",
      { ...good, matchingPrecedence: 1 },
      [
        "spec.matchingPrecedence: Invalid value: 1: only the schema named 'exempt' may have matchingPrecedence 1",
      ],
    ],
    [
      "being before the first",
      { ...good, matchingPrecedence: -1 },
      ["spec.matchingPrecedence: Invalid value: -1: must be a positive value"],
    ],
    [
      "an empty rule",
      { ...good, rules: [{}] },
      [
        "spec.rules[0].subjects: Required value: subjects must contain at least one value",
        "spec.rules[0]: Required value: at least one of resourceRules and nonResourceRules has to be non-empty",
      ],
    ],
    [
      "invalid subjects",
      {
        ...good,
        rules: [
          {
            subjects: [
              { kind: "Q" },
              { kind: "User", group: { name: "g" } },
              { kind: "ServiceAccount", serviceAccount: { name: "", namespace: "" } },
              { kind: "Group", group: { name: "" } },
              {
                kind: "ServiceAccount",
                serviceAccount: { name: "A_", namespace: "B." },
                user: { name: "u" },
              },
              { kind: "Group", serviceAccount: { name: "a", namespace: "b" } },
              { kind: "ServiceAccount" },
              { kind: "User", user: { name: "" } },
            ],
            nonResourceRules: [{ verbs: ["*"], nonResourceURLs: ["*"] }],
          },
        ],
      },
      [
        'spec.rules[0].subjects[0].kind: Unsupported value: "Q": supported values: "Group", "ServiceAccount", "User"',
        "spec.rules[0].subjects[1].user: Required value: user is required when subject kind is 'User'",
        "spec.rules[0].subjects[1].group: Forbidden: group is forbidden when subject kind is not 'Group'",
        "spec.rules[0].subjects[2].serviceAccount.name: Required value",
        "spec.rules[0].subjects[2].serviceAccount.namespace: Required value: must specify namespace for service account",
        "spec.rules[0].subjects[3].group.name: Required value",
        expect.stringContaining(
          'spec.rules[0].subjects[4].serviceAccount.name: Invalid value: "A_": a lowercase RFC 1123 subdomain',
        ),
        expect.stringContaining(
          'spec.rules[0].subjects[4].serviceAccount.namespace: Invalid value: "B.": a lowercase RFC 1123 label',
        ),
        "spec.rules[0].subjects[4].user: Forbidden: user is forbidden when subject kind is not 'User'",
        "spec.rules[0].subjects[5].group: Required value: group is required when subject kind is 'Group'",
        "spec.rules[0].subjects[5].serviceAccount: Forbidden: serviceAccount is forbidden when subject kind is not 'ServiceAccount'",
        "spec.rules[0].subjects[6].serviceAccount: Required value: serviceAccount is required when subject kind is 'ServiceAccount'",
        "spec.rules[0].subjects[7].user.name: Required value",
      ],
    ],
    [
      "invalid resource and non-resource rules",
      {
        ...good,
        rules: [
          {
            subjects: [{ kind: "User", user: { name: "u" } }],
            resourceRules: [
              { verbs: ["*", "get"], apiGroups: ["*", "a"], resources: [], namespaces: [] },
              { verbs: ["eat"], apiGroups: [], resources: ["*", "a"], namespaces: ["A"] },
              { verbs: ["get"], apiGroups: ["a"], resources: ["a"], namespaces: ["*", "a"] },
            ],
            nonResourceRules: [
              { verbs: [], nonResourceURLs: ["", "x", "/a b", "/a//b", "/*a"] },
              { verbs: ["get"], nonResourceURLs: [] },
              { verbs: ["get"], nonResourceURLs: ["*", "/a"] },
            ],
          },
        ],
      },
      [
        'resourceRules[0].verbs: Invalid value: []string{"*", "get"}: if \'*\' is present, must not specify other verbs',
        'resourceRules[0].apiGroups: Invalid value: []string{"*", "a"}: if \'*\' is present, must not specify other api groups',
        "resourceRules[0].resources: Required value: resource rules must supply at least one resource",
        "resourceRules[0].namespaces: Required value: resource rules that are not cluster scoped must supply at least one namespace",
        'resourceRules[1].verbs: Unsupported value: []string{"eat"}: supported values: "create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch"',
        "resourceRules[1].apiGroups: Required value: resource rules must supply at least one api group",
        'resourceRules[1].resources: Invalid value: []string{"*", "a"}: if \'*\' is present, must not specify other resources',
        expect.stringContaining(
          "resourceRules[1].namespaces[0]: Invalid value: \"A\": each member of this list must be '*' or a DNS-1123 label; a lowercase RFC 1123 label",
        ),
        'resourceRules[2].namespaces: Invalid value: []string{"*", "a"}: if \'*\' is present, must not specify other namespaces',
        "nonResourceRules[0].verbs: Required value: verbs must contain at least one value",
        'nonResourceRules[0].nonResourceURLs[0]: Invalid value: "": must not be empty',
        'nonResourceRules[0].nonResourceURLs[1]: Invalid value: "x": must start with slash',
        'nonResourceRules[0].nonResourceURLs[2]: Invalid value: "/a b": must not contain white-space',
        'nonResourceRules[0].nonResourceURLs[3]: Invalid value: "/a//b": must not contain double slash',
        'nonResourceRules[0].nonResourceURLs[4]: Invalid value: "/*a": wildcard can only do suffix matching',
        "nonResourceRules[1].nonResourceURLs: Required value: nonResourceURLs must contain at least one value",
        'nonResourceRules[2].nonResourceURLs: Invalid value: []string{"*", "/a"}: if \'*\' is present, must not specify other non-resource URLs',
      ].map((finding) => (typeof finding === "string" ? `spec.rules[0].${finding}` : finding)),
    ],
  ])("%s", async (_title, spec, findings) => {
    const send = testClient(quietCluster());
    expect((await send("POST", schemas, { metadata: { name: "f" }, spec })).findings).toEqual(findings);
  });
});

test("a FlowSchema may match cluster-scoped resources, and paths by their prefix", async () => {
  const send = testClient(quietCluster());
  const rule = {
    subjects: [{ kind: "ServiceAccount", serviceAccount: { name: "*", namespace: "n" } }],
    resourceRules: [{ verbs: ["get"], apiGroups: ["*"], resources: ["*"], clusterScope: true }],
    nonResourceRules: [{ verbs: ["*"], nonResourceURLs: ["/", "/a", "/a/*"] }],
  };
  const spec = { priorityLevelConfiguration: { name: "exempt" }, rules: [rule] };
  const { object } = await send("POST", schemas, { metadata: { name: "f" }, spec });
  expect(object).toMatchObject({
    metadata: { generation: 1 },
    spec: { matchingPrecedence: 1000, rules: [rule] },
  });
  const changed = await send("PATCH", `${schemas}/f`, { spec: { matchingPrecedence: 5 } });
  expect(changed.object.metadata.generation).toBe(2);
});

test("a PriorityLevelConfiguration queues excess requests by default, and counts its changes", async () => {
  const send = testClient(quietCluster());
  const spec = { type: "Limited", limited: { limitResponse: { type: "Queue", queuing: {} } } };
  const { object } = await send("POST", levels, { metadata: { name: "l" }, spec });
  expect(object).toMatchObject({
    metadata: { generation: 1 },
    spec: {
      limited: {
        nominalConcurrencyShares: 30,
        lendablePercent: 0,
        limitResponse: { queuing: { queues: 64, handSize: 8, queueLengthLimit: 50 } },
      },
    },
  });
  const changed = await send("PATCH", `${levels}/l`, { spec: { limited: { lendablePercent: 5 } } });
  expect(changed.object.metadata.generation).toBe(2);
});

test.each([["exempt"], ["catch-all"]])("the flow schema and the level %s are immutable", async (name) => {
  const send = testClient(quietCluster());
  const label = { metadata: { labels: { a: "b" } } };
  expect((await send("PATCH", `${schemas}/${name}`, label)).code).toBe(200);
  expect((await send("PATCH", `${levels}/${name}`, label)).code).toBe(200);
  const { findings } = await send("PATCH", `${schemas}/${name}`, { spec: { matchingPrecedence: 7 } });
  expect(findings).toEqual([
    expect.stringMatching(
      new RegExp(
        `^spec: Invalid value: flowcontrol.FlowSchemaSpec\\{.*: spec of '${name}' must equal the fixed value$`,
      ),
    ),
  ]);
});

test("the shares of the exempt level may change, but no field of the catch-all level may", async () => {
  const send = testClient(quietCluster());
  expect((await send("PATCH", `${levels}/exempt`, { spec: { exempt: { lendablePercent: 5 } } })).code).toBe(
    200,
  );
  const limited = { nominalConcurrencyShares: 6 };
  expect((await send("PATCH", `${levels}/catch-all`, { spec: { limited } })).findings).toEqual([
    expect.stringMatching(/: spec of 'catch-all' must equal the fixed value$/),
  ]);
  const change = { spec: { type: "Limited", limited: { limitResponse: { type: "Reject" } } } };
  expect((await send("PATCH", `${levels}/exempt`, change)).findings).toEqual([
    "spec.type: Invalid value: \"Limited\": type must be 'Exempt' if and only if name is 'exempt'",
    "spec.exempt: Forbidden: must be nil if the type is Limited",
    expect.stringMatching(/: spec of 'exempt' except the 'spec.exempt' field must equal the fixed value$/),
  ]);
});

describe("a PriorityLevelConfiguration is refused for", () => {
  const queue = (queuing: object | undefined) => ({ type: "Queue", ...(queuing && { queuing }) });
  const limits = (limitResponse: object) => ({ type: "Limited", limited: { limitResponse } });
  const at = "spec.limited.limitResponse";
  test.each<[string, object, readonly string[]]>([
    ["no type", {}, ['spec.type: Unsupported value: "": supported values: "Exempt", "Limited"']],
    [
      "no limits",
      { type: "Limited" },
      ["spec.limited: Required value: must not be empty when type is Limited"],
    ],
    [
      "its response",
      limits({ type: "Q" }),
      [`${at}.type: Unsupported value: "Q": supported values: "Queue", "Reject"`],
    ],
    [
      "no queues",
      limits(queue(undefined)),
      [`${at}.queuing: Required value: must not be empty if limited.limitResponse.type is Limited`],
    ],
    [
      "unused queues",
      limits({ type: "Reject", queuing: {} }),
      [`${at}.queuing: Forbidden: must be nil if limited.limitResponse.type is not Limited`],
    ],
    [
      "its shares",
      {
        type: "Limited",
        limited: {
          nominalConcurrencyShares: -1,
          lendablePercent: 101,
          borrowingLimitPercent: -1,
          limitResponse: { type: "Reject" },
        },
      },
      [
        "spec.limited.nominalConcurrencyShares: Invalid value: -1: must be a non-negative integer",
        "spec.limited.lendablePercent: Invalid value: 101: must be between 0 and 100, inclusive",
        "spec.limited.borrowingLimitPercent: Invalid value: -1: if specified, must be a non-negative integer",
      ],
    ],
    [
      "the numbers of its queues",
      limits(queue({ queues: -1, handSize: -1, queueLengthLimit: -1 })),
      [
        `${at}.queuing.queueLengthLimit: Invalid value: -1: must be positive`,
        `${at}.queuing.queues: Invalid value: -1: must be positive`,
        `${at}.queuing.handSize: Invalid value: -1: must be positive`,
      ],
    ],
    [
      "more queues than the hash can distinguish",
      limits(queue({ queues: 512, handSize: 8 })),
      [
        `${at}.queuing.handSize: Invalid value: 8: required entropy bits of deckSize 512 and handSize 8 should not be greater than 60`,
      ],
    ],
    [
      "too many queues",
      limits(queue({ queues: 10_000_001, handSize: 1 })),
      [`${at}.queuing.queues: Invalid value: 10000001: must not be greater than 10000000`],
    ],
    [
      "being exempt, with limits",
      { type: "Exempt", limited: { limitResponse: { type: "Reject" } } },
      [
        "spec.type: Invalid value: \"Exempt\": type must be 'Exempt' if and only if name is 'exempt'",
        "spec.limited: Forbidden: must be nil if the type is not Limited",
      ],
    ],
    [
      "a hand greater than the deck",
      limits(queue({ queues: 7, handSize: 8 })),
      [`${at}.queuing.handSize: Invalid value: 8: should not be greater than queues (7)`],
    ],
  ])("%s", async (_title, spec, findings) => {
    const send = testClient(quietCluster());
    expect((await send("POST", levels, { metadata: { name: "l" }, spec })).findings).toEqual(findings);
  });
});

test.each([[schemas], [levels]])("conditions under %s must have unique types", async (path) => {
  const send = testClient(quietCluster());
  const status = { conditions: [{ type: "" }, { type: "" }] };
  const { findings } = await send("PUT", `${path}/exempt/status`, { metadata: { name: "exempt" }, status });
  expect(findings).toEqual([
    "status.conditions[0].type: Required value: must not be empty",
    'status.conditions[1].type: Duplicate value: ""',
    "status.conditions[1].type: Required value: must not be empty",
  ]);
});
