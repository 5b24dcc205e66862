import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { type FeatureGates, featureGates } from "../../../catalog/feature-gates.ts";
import { deepFreeze } from "../../../store/deep-freeze.ts";
import {
  areSameOptions,
  type PodValidationOptions,
  podValidationOptions,
  templateValidationOptions,
} from "./pod-validation-options.ts";

const release = featureGates("1.32");
const enabling = (...gates: readonly string[]): FeatureGates => ({
  ...release,
  isEnabled: (name) => gates.includes(name),
});
const off = enabling("PodDeletionCost");

/** The options that are true. */
function allowed(options: PodValidationOptions): readonly string[] {
  return Object.entries(options).flatMap(([name, value]) => (value === true ? [name] : []));
}

const container = (fields: JsonObject) => ({ containers: [{ name: "c", ...fields }] });
const values = (...list: readonly string[]) => [{ key: "k", operator: "In", values: list }];
const required = "requiredDuringSchedulingIgnoredDuringExecution";
const preferred = "preferredDuringSchedulingIgnoredDuringExecution";
const term = { topologyKey: "t", labelSelector: { matchExpressions: values("ok", "-no") } };
const tokenAt = (path: string) => ({
  volumes: [{ name: "v", projected: { sources: [{ serviceAccountToken: { path } }] } }],
});
const refs = { resourceFieldRef: { resource: "limits.hugepages-2Mi" } };
const pages = (amount: string) => ({ resources: { limits: { "hugepages-2Mi": amount } } });

describe("a template that replaces another one", () => {
  test.each<[option: string, spec: JsonObject, counterpart: JsonObject]>([
    [
      "allowsInvalidSelectorValues",
      { affinity: { podAffinity: { [required]: [term] } } },
      { affinity: { podAffinity: { [required]: [{ labelSelector: { matchExpressions: values("ok") } }] } } },
    ],
    [
      "allowsInvalidSelectorValues",
      { affinity: { podAntiAffinity: { [preferred]: [{ weight: 1, podAffinityTerm: term }] } } },
      { affinity: { podAntiAffinity: { [preferred]: [{ weight: 1 }] } } },
    ],
    [
      "allowsInvalidNodeLabelValues",
      {
        affinity: {
          nodeAffinity: { [required]: { nodeSelectorTerms: [{ matchExpressions: values("-no") }] } },
        },
      },
      {
        affinity: {
          nodeAffinity: { [required]: { nodeSelectorTerms: [{ matchExpressions: values("ok") }, {}] } },
        },
      },
    ],
    [
      "allowsInvalidSpreadSelector",
      { topologySpreadConstraints: [{ labelSelector: { matchLabels: { a: "-no" } } }] },
      { topologySpreadConstraints: [{ labelSelector: { matchLabels: { a: "ok" } } }] },
    ],
    ["allowsIndivisibleHugePages", container(pages("3Mi")), container(pages("4Mi"))],
    [
      "allowsIndivisibleHugePages",
      container({ resources: { requests: { "hugepages-2Mi": "3Mi" } } }),
      container({ resources: { requests: { "hugepages-2Mi": "2Mi", memory: "1" } } }),
    ],
    ["allowsIndivisibleHugePages", { overhead: { "hugepages-2Mi": "3Mi" } }, { overhead: { cpu: "3m" } }],
    [
      "allowsComparisons",
      { tolerations: [{ key: "a", operator: "Lt", value: "1" }] },
      { tolerations: [{ key: "a", operator: "Equal", value: "1" }] },
    ],
    ["allowsNonLocalTokenPath", tokenAt("../a"), tokenAt("a/b")],
    ["allowsNonLocalTokenPath", tokenAt("/a"), tokenAt("")],
    [
      "allowsHostSysctls",
      { hostNetwork: true, securityContext: { sysctls: [{ name: "net.a", value: "1" }] } },
      { hostNetwork: true, securityContext: { sysctls: [{ name: "kernel.a", value: "1" }] } },
    ],
    ["allowsRelaxedSearches", { dnsConfig: { searches: ["a", "."] } }, { dnsConfig: { searches: ["a.b"] } }],
    ["allowsRelaxedSearches", { dnsConfig: { searches: ["a_b"] } }, { dnsConfig: {} }],
    [
      "allowsZeroSleep",
      container({ lifecycle: { preStop: { sleep: { seconds: 0 } } } }),
      container({ lifecycle: { preStop: { sleep: { seconds: 1 } } } }),
    ],
    [
      "allowsZeroSleep",
      { initContainers: [{ name: "c", lifecycle: { postStart: { sleep: {} } } }] },
      { initContainers: [{ name: "c", lifecycle: { postStart: {} } }] },
    ],
    [
      "allowsSctp",
      container({ ports: [{ protocol: "TCP" }, { protocol: "SCTP" }] }),
      container({ ports: [{ protocol: "UDP" }] }),
    ],
    [
      "allowsExpandedSearches",
      { dnsConfig: { searches: ["a", "b", "c", "d", "e", "f", "g"] } },
      { dnsConfig: { searches: ["a", "b", "c", "d", "e", "f"] } },
    ],
    [
      "allowsHugePageRefs",
      container({ env: [{ name: "E", valueFrom: refs }] }),
      container({ env: [{ name: "E", value: "limits.hugepages-2Mi" }] }),
    ],
  ])("may have what that had: %s", (option, spec, counterpart) => {
    expect(allowed(templateValidationOptions(off))).toEqual([]);
    expect(allowed(templateValidationOptions(off, { spec }))).toEqual([option]);
    expect(allowed(templateValidationOptions(off, { spec: counterpart }))).toEqual([]);
    expect(allowed(templateValidationOptions(off, {}))).toEqual([]);
  });

  test("may have an invalid deletion cost if that had one: this is no part of the spec", () => {
    const cost = (text: string) => ({
      metadata: { annotations: { "controller.kubernetes.io/pod-deletion-cost": text } },
    });
    const spec = deepFreeze({ containers: [] });
    for (const [text, expected] of [
      ["1", []],
      ["x", ["allowsInvalidDeletionCost"]],
      ["1", []],
    ] as const)
      expect(allowed(templateValidationOptions(off, { ...cost(text), spec }))).toEqual(expected);
    expect(allowed(templateValidationOptions(enabling(), { ...cost("1"), spec }))).toEqual([
      "allowsInvalidDeletionCost",
    ]);
  });

  test("has the options of its gates, although what they share is remembered", () => {
    const spec = deepFreeze(container({ ports: [{ protocol: "SCTP" }] }));
    const relaxed = enabling("PodDeletionCost", "RelaxedDNSSearchValidation");
    for (const gates of [off, off, relaxed, off]) {
      const options = templateValidationOptions(gates, { spec });
      expect(options.gates).toBe(gates);
      expect(allowed(options)).toEqual(
        gates === off ? ["allowsSctp"] : ["allowsRelaxedSearches", "allowsSctp"],
      );
    }
  });
});

test.each([
  ["RelaxedDNSSearchValidation", "allowsRelaxedSearches"],
  ["PodLifecycleSleepActionAllowZero", "allowsZeroSleep"],
  ["SCTPSupport", "allowsSctp"],
  ["ExpandedDNSConfig", "allowsExpandedSearches"],
  ["DownwardAPIHugePages", "allowsHugePageRefs"],
  ["TaintTolerationComparisonOperators", "allowsComparisons"],
])("the gate %s has the effect %s, for new templates and changed ones", (gate, option) => {
  const gates = enabling("PodDeletionCost", gate);
  expect(allowed(templateValidationOptions(gates))).toEqual([option]);
  expect(allowed(templateValidationOptions(gates, { spec: {} }))).toEqual([option]);
});

test("a Pod has a name, and a template has none", () => {
  const [template, pod] = [templateValidationOptions(off), podValidationOptions(off, "p")];
  expect(template).toMatchObject({ isPod: false, podName: "", gates: off });
  expect(pod).toEqual({ ...template, isPod: true, podName: "p" });
  expect(podValidationOptions(off, "p", { spec: container({ ports: [{ protocol: "SCTP" }] }) })).toEqual({
    ...pod,
    allowsSctp: true,
  });
});

test("options lead to the same errors if they are equal, or differ in a name that is no part of a claim's", () => {
  const [p, q] = [podValidationOptions(off, "p"), podValidationOptions(off, "q")];
  const volumes = (...fields: readonly JsonObject[]) => ({ volumes: fields });
  expect(areSameOptions(p, podValidationOptions(off, "p"), volumes({ ephemeral: {} }))).toBe(true);
  expect(areSameOptions(p, q, volumes({ emptyDir: {} }))).toBe(true);
  expect(areSameOptions(p, q, volumes({ emptyDir: {} }, { ephemeral: {} }))).toBe(false);
  expect(areSameOptions(p, q, { resourceClaims: [{ name: "c", source: {} }] })).toBe(false);
  expect(areSameOptions(p, q, { resourceClaims: [{ name: "c", resourceClaimName: "r" }] })).toBe(true);
  expect(areSameOptions(p, { ...p, allowsSctp: true }, {})).toBe(false);
  expect(areSameOptions(p, { ...q, allowsSctp: true }, {})).toBe(false);
  expect(areSameOptions(p, podValidationOptions(enabling("PodDeletionCost"), "p"), {})).toBe(false);
});
