import { describe, expect, test } from "vitest";
import { quietCluster, testClient } from "../../registry/test-client.ts";

const quotas = "/api/v1/namespaces/default/resourcequotas";
const ranges = "/api/v1/namespaces/default/limitranges";
const conflicting = '[]core.ResourceQuotaScope{"BestEffort", "NotBestEffort"}';
const operatorRule =
  "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";
const expressions = "spec.scopeSelector.matchExpressions";

describe("a ResourceQuota is refused for", () => {
  test.each<[string, object, readonly string[]]>([
    [
      "names and amounts",
      { hard: { pods: "-1", zed: "1" } },
      [
        'spec.hard[pods]: Invalid value: "-1": must be greater than or equal to 0',
        "spec.hard[zed]: Invalid value: zed: must be a standard resource type or fully qualified",
        "spec.hard[zed]: Invalid value: zed: must be a standard resource for quota",
      ],
    ],
    [
      "conflicting scopes, and scopes that do not match the resources",
      { hard: { services: "1" }, scopes: ["BestEffort", "NotBestEffort"] },
      [
        `spec.scopes: Invalid value: ${conflicting}: unsupported scope applied to resource`,
        `spec.scopes: Invalid value: ${conflicting}: unsupported scope applied to resource`,
        `spec.scopes: Invalid value: ${conflicting}: conflicting scopes`,
      ],
    ],
    [
      "an invalid scope",
      { scopes: ["Q"] },
      ['spec.scopes: Invalid value: []core.ResourceQuotaScope{"Q"}: unsupported scope'],
    ],
    [
      "a selector with values for a fixed scope",
      { scopeSelector: { matchExpressions: [{ scopeName: "Terminating", operator: "In" }] } },
      [
        `${expressions}.operator: Invalid value: "In": ${operatorRule}`,
        `${expressions}.values: Required value: must be at least one value when \`operator\` is 'In' or 'NotIn' for scope selector`,
      ],
    ],
    [
      "a selector with unknown values",
      { scopeSelector: { matchExpressions: [{ scopeName: "Q", operator: "Z" }] } },
      [
        `${expressions}.scopeName: Invalid value: "Q": unsupported scope`,
        `${expressions}.operator: Invalid value: "Z": not a valid selector operator`,
      ],
    ],
    [
      "a selector that does not match the resources",
      {
        hard: { services: "1" },
        scopeSelector: { matchExpressions: [{ scopeName: "BestEffort", operator: "Exists" }] },
      },
      [
        `${expressions}: Invalid value: core.ScopeSelector{MatchExpressions:[]core.ScopedResourceSelectorRequirement{core.ScopedResourceSelectorRequirement{ScopeName:"BestEffort", Operator:"Exists", Values:[]string(nil)}}}: unsupported scope applied to resource`,
      ],
    ],
    [
      "a contradictory selector",
      {
        scopeSelector: {
          matchExpressions: ["BestEffort", "NotBestEffort"].map((scopeName) => ({
            scopeName,
            operator: "Exists",
          })),
        },
      },
      [`${expressions}: Invalid value: []core.ResourceQuotaScope(nil): conflicting scopes`],
    ],
    [
      "values for an operator without values",
      {
        scopeSelector: {
          matchExpressions: [{ scopeName: "PriorityClass", operator: "Exists", values: ["a"] }],
        },
      },
      [
        `${expressions}.values: Invalid value: []string{"a"}: must be no value when \`operator\` is 'Exist' or 'DoesNotExist' for scope selector`,
      ],
    ],
  ])("%s", async (_title, spec, findings) => {
    const send = testClient(quietCluster());
    expect((await send("POST", quotas, { metadata: { name: "q" }, spec })).findings).toEqual(findings);
  });
});

test("a ResourceQuota cannot change its scopes, and its status has the same resources", async () => {
  const send = testClient(quietCluster());
  await send("POST", quotas, { metadata: { name: "q" }, spec: { scopes: ["BestEffort"] } });
  expect((await send("PATCH", `${quotas}/q`, { spec: { scopes: ["Terminating"] } })).findings).toEqual([
    'spec.scopes: Invalid value: []core.ResourceQuotaScope{"Terminating"}: field is immutable',
  ]);
  expect((await send("PATCH", `${quotas}/q/status`, { status: { used: { pods: "-1" } } })).findings).toEqual([
    'status.used[pods]: Invalid value: "-1": must be greater than or equal to 0',
  ]);
});

test.each<[scope: string, hard: object, before: string, since: string]>([
  ["CrossNamespacePodAffinity", { pods: "1" }, "1.20", "1.21"],
  ["VolumeAttributesClass", { "requests.storage": "1", persistentvolumeclaims: "1" }, "1.33", "1.34"],
])(
  "a ResourceQuota supports the scope %s for %j in the release after %s",
  async (scope, hard, before, since) => {
    const made = async (release: string, spec: object) =>
      (await testClient(quietCluster({ release }))("POST", quotas, { metadata: { name: "q" }, spec }))
        .findings;
    const spec = { hard, scopes: [scope] };
    expect(await made(since, spec)).toEqual([]);
    expect(await made(before, spec)).toContain(
      `spec.scopes: Invalid value: []core.ResourceQuotaScope{"${scope}"}: unsupported scope`,
    );
    expect(await made(since, { hard: { services: "1" }, scopes: [scope] })).toEqual([
      expect.stringMatching(/: unsupported scope applied to resource$/),
    ]);
  },
);

test.each<[scopeSelector: object, className: string | undefined, code: number]>([
  [{ scopeName: "VolumeAttributesClass", operator: "Exists" }, "gold", 403],
  [{ scopeName: "VolumeAttributesClass", operator: "Exists" }, undefined, 201],
  [{ scopeName: "VolumeAttributesClass", operator: "In", values: ["gold"] }, "gold", 403],
  [{ scopeName: "VolumeAttributesClass", operator: "In", values: ["gold"] }, "silver", 201],
  [{ scopeName: "VolumeAttributesClass", operator: "NotIn", values: ["gold"] }, undefined, 403],
])("a quota for claims of %j answers a claim of class %s with %i", async (expression, className, code) => {
  const send = testClient(quietCluster({ release: "1.34", controllers: ["resourcequota-controller"] }));
  const hard = { persistentvolumeclaims: "0" };
  const scopeSelector = { matchExpressions: [expression] };
  await send("POST", quotas, { metadata: { name: "q" }, spec: { hard, scopeSelector } });
  await expect.poll(async () => (await send("GET", `${quotas}/q`)).object.status.hard).toEqual(hard);
  const claim = await send("POST", "/api/v1/namespaces/default/persistentvolumeclaims", {
    metadata: { name: "c" },
    spec: {
      accessModes: ["ReadWriteOnce"],
      resources: { requests: { storage: "1" } },
      ...(className !== undefined && { volumeAttributesClassName: className }),
    },
  });
  expect(claim.code).toBe(code);
});

/** An integer as Go holds it; `cached` is the text of `s`. */
const shown = (text: string, cached = text) =>
  `resource.Quantity{i:resource.int64Amount{value:${text}, scale:0}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:"${cached}", Format:"DecimalSI"}`;

describe("a LimitRange is refused for", () => {
  test.each<[string, readonly object[], readonly unknown[]]>([
    [
      "types",
      [{ type: "Zed" }, { type: "Container" }, { type: "Container" }, { type: "a b" }],
      [
        'spec.limits[0].type: Invalid value: "Zed": must be a standard limit type or fully qualified',
        'spec.limits[2].type: Duplicate value: "Container"',
        expect.stringMatching(/^spec\.limits\[3\]\.type: Invalid value: "a b": name part must consist of/),
      ],
    ],
    [
      "defaults of pods",
      [{ type: "Pod", default: { cpu: "1" }, defaultRequest: { cpu: "1" } }],
      [
        "spec.limits[0].default: Forbidden: may not be specified when `type` is 'Pod'",
        "spec.limits[0].defaultRequest: Forbidden: may not be specified when `type` is 'Pod'",
      ],
    ],
    [
      "claims without bounds",
      [{ type: "PersistentVolumeClaim" }],
      [
        "spec.limits[0].limits: Required value: either minimum or maximum storage value is required, but neither was provided",
      ],
    ],
    [
      "limits in the wrong order",
      [
        {
          type: "Container",
          min: { cpu: "3" },
          defaultRequest: { cpu: "2" },
          default: { cpu: "1" },
          max: { cpu: "0" },
        },
      ],
      [
        `spec.limits[0].min[cpu]: Invalid value: ${shown("3")}: min value 3 is greater than max value 0`,
        `spec.limits[0].defaultRequest[cpu]: Invalid value: ${shown("2")}: min value 3 is greater than default request value 2`,
        `spec.limits[0].defaultRequest[cpu]: Invalid value: ${shown("2")}: default request value 2 is greater than max value 0`,
        `spec.limits[0].defaultRequest[cpu]: Invalid value: ${shown("2")}: default request value 2 is greater than default limit value 1`,
        `spec.limits[0].default[cpu]: Invalid value: ${shown("3")}: min value 3 is greater than default value 1`,
        `spec.limits[0].default[cpu]: Invalid value: ${shown("0")}: default value 1 is greater than max value 0`,
      ],
    ],
    [
      "ratios",
      [
        { type: "Container", min: { cpu: "1" }, max: { cpu: "2" }, maxLimitRequestRatio: { cpu: "3" } },
        { type: "Pod", maxLimitRequestRatio: { cpu: "0" } },
      ],
      [
        `spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value: ${shown("3")}: ratio 3 is greater than max/min = 2.000000`,
        `spec.limits[1].maxLimitRequestRatio[cpu]: Invalid value: ${shown("0")}: ratio 0 is less than 1`,
      ],
    ],
    [
      "a default request of an extended resource that differs from its limit",
      [{ type: "Container", default: { "x.io/gpu": "2" }, defaultRequest: { "x.io/gpu": "1" } }],
      [
        `spec.limits[0].defaultRequest[x.io/gpu]: Invalid value: ${shown("1")}: default value 2 must equal to defaultRequest value 1 in x.io/gpu`,
      ],
    ],
    [
      "names",
      [{ type: "Container", max: { zed: "1" } }],
      ["max", "default", "defaultRequest"].flatMap((list) => [
        `spec.limits[0].${list}[zed]: Invalid value: zed: must be a standard resource type or fully qualified`,
        `spec.limits[0].${list}[zed]: Invalid value: zed: must be a standard resource for containers`,
      ]),
    ],
  ])("%s", async (_title, limits, findings) => {
    const send = testClient(quietCluster());
    const body = { metadata: { name: "l" }, spec: { limits } };
    expect((await send("POST", ranges, body)).findings).toEqual(findings);
    await send("POST", ranges, { metadata: { name: "l" }, spec: { limits: [] } });
    expect((await send("PUT", `${ranges}/l`, body)).findings).toEqual(findings);
  });
});
