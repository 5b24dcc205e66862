import { describe, expect, test } from "vitest";
import { podSpecFindings } from "../../../../test/registry/pods.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";

type Row = readonly [title: string, object: JsonObject, findings: readonly unknown[]];

const required = "requiredDuringSchedulingIgnoredDuringExecution";
const preferred = "preferredDuringSchedulingIgnoredDuringExecution";
const label = expect.stringContaining("a lowercase RFC 1123 label must consist of");
const subdomain = expect.stringContaining("a lowercase RFC 1123 subdomain must consist of");
const namePart = expect.stringContaining("name part must consist of");

function check(_title: string, spec: JsonObject, findings: readonly unknown[]): void {
  expect(podSpecFindings(spec)).toEqual(findings);
}

function below(path: string, findings: readonly string[]): readonly string[] {
  return findings.map((finding) => path + finding);
}

function nodeTerm(term: JsonObject): JsonObject {
  return { affinity: { nodeAffinity: { [required]: { nodeSelectorTerms: [term] } } } };
}

function podTerm(term: JsonObject): JsonObject {
  const labelSelector = { matchLabels: { a: "b" } };
  return { affinity: { podAntiAffinity: { [required]: [{ topologyKey: "k", labelSelector, ...term }] } } };
}

const nodeTerms = `spec.affinity.nodeAffinity.${required}.nodeSelectorTerms`;
const podTermPath = `spec.affinity.podAntiAffinity.${required}[0]`;

describe("a pod is refused for", () => {
  test.each<Row>([
    [
      "unknown policies",
      { restartPolicy: "X", dnsPolicy: "Y", preemptionPolicy: "Z" },
      [
        'spec.restartPolicy: Unsupported value: "X": supported values: "Always", "OnFailure", "Never"',
        'spec.dnsPolicy: Unsupported value: "Y": supported values: "ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"',
        'spec.preemptionPolicy: Unsupported value: "Z": supported values: "PreemptLowerPriority", "Never"',
      ],
    ],
    [
      "invalid names",
      {
        serviceAccountName: "A",
        nodeName: "A",
        hostname: "A",
        subdomain: "A",
        priorityClassName: "A",
        runtimeClassName: "A",
      },
      [subdomain, subdomain, label, label, subdomain, subdomain],
    ],
    [
      "an invalid deadline",
      { activeDeadlineSeconds: 0 },
      ["spec.activeDeadlineSeconds: Invalid value: 0: must be between 1 and 2147483647, inclusive"],
    ],
    ["invalid node labels", { nodeSelector: { "a b": "c" } }, [namePart]],
    [
      "invalid conditions and gates",
      { readinessGates: [{ conditionType: "a b" }], schedulingGates: [{ name: "a b" }] },
      [namePart, namePart],
    ],
    [
      "a duplicate gate",
      { schedulingGates: [{ name: "a" }, { name: "a" }] },
      ['spec.schedulingGates[1]: Duplicate value: "a"'],
    ],
    [
      "invalid overhead",
      { overhead: { foo: "1" } },
      [
        "spec.overhead.limits[foo]: Invalid value: foo: must be a standard resource type or fully qualified",
        "spec.overhead.limits[foo]: Invalid value: foo: must be a standard resource for containers",
      ],
    ],
  ])("%s", check);
});

const gates = { release: "1.35", open: ["TaintTolerationComparisonOperators"] };

test.each<readonly [string, readonly string[]]>([
  ["-7", []],
  ["0", []],
  ["", ["must be non-empty", 'strconv.ParseInt: parsing "": invalid syntax']],
  ["07", ["must be a valid decimal integer in canonical form"]],
  [
    "x",
    ["must be a valid decimal integer in canonical form", 'strconv.ParseInt: parsing "x": invalid syntax'],
  ],
  ["9223372036854775808", ['strconv.ParseInt: parsing "9223372036854775808": value out of range']],
])("a toleration that compares has an integer: %j", (value, problems) => {
  const findings = podSpecFindings({ tolerations: [{ key: "a", operator: "Lt", value }] }, gates);
  const shown = JSON.stringify(value);
  expect(findings).toEqual(
    problems.map((problem) => `spec.tolerations[0].value: Invalid value: ${shown}: ${problem}`),
  );
});

test("no toleration compares before the releases that have the gate", () => {
  const tolerations = [{ key: "a", operator: "Gt", value: "7" }];
  expect(podSpecFindings({ tolerations }, { release: "1.34" })).toEqual([
    'spec.tolerations[0].operator: Unsupported value: "Gt": supported values: "Equal", "Exists"',
  ]);
});

describe("a toleration is refused for", () => {
  test.each<readonly [string, JsonObject, readonly unknown[]]>([
    [
      "an empty key",
      {},
      [
        'operator: Invalid value: "": operator must be Exists when `key` is empty, which means "match all values and all keys"',
      ],
    ],
    ["an invalid key", { key: "a b", operator: "Exists" }, [namePart]],
    [
      "toleration seconds without the effect NoExecute",
      { key: "a", operator: "Exists", tolerationSeconds: 1 },
      ["effect: Invalid value: \"\": effect must be 'NoExecute' when `tolerationSeconds` is set"],
    ],
    [
      "a value with the operator Exists",
      { key: "a", operator: "Exists", value: "v" },
      ["operator: Invalid value: \"v\": value must be empty when `operator` is 'Exists'"],
    ],
    [
      "an invalid label value",
      { key: "a", value: "a b" },
      [expect.stringContaining('spec.tolerations[0].operator: Invalid value: "a b": a valid label must be')],
    ],
    [
      "an unknown operator and effect",
      { key: "a", operator: "X", effect: "Y" },
      [
        'operator: Unsupported value: "X": supported values: "Equal", "Exists"',
        'effect: Unsupported value: "Y": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
      ],
    ],
  ])("%s", (_title, toleration, findings) => {
    const placed = findings.map((finding) =>
      typeof finding === "string" ? `spec.tolerations[0].${finding}` : finding,
    );
    expect(podSpecFindings({ tolerations: [toleration] })).toEqual(placed);
  });
});

describe("affinity to nodes is refused for", () => {
  test.each<Row>([
    [
      "no terms",
      { affinity: { nodeAffinity: { [required]: {} } } },
      [`${nodeTerms}: Required value: must have at least one node selector term`],
    ],
    [
      "values that do not match the operator",
      nodeTerm({
        matchExpressions: [
          { key: "a", operator: "In" },
          { key: "a", operator: "Exists", values: ["v"] },
          { key: "a", operator: "Gt" },
          { key: "a", operator: "X" },
        ],
      }),
      below(`${nodeTerms}[0].matchExpressions`, [
        "[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
        "[1].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
        "[2].values: Required value: must be specified single value when `operator` is 'Lt' or 'Gt'",
        '[3].operator: Invalid value: "X": not a valid selector operator',
      ]),
    ],
    [
      "invalid label keys and values",
      nodeTerm({ matchExpressions: [{ key: "a b", operator: "In", values: ["a b"] }] }),
      [namePart, expect.stringContaining('values[0]: Invalid value: "a b": a valid label must be')],
    ],
    [
      "unsupported node fields",
      nodeTerm({
        matchFields: [
          { key: "spec.a", operator: "Exists" },
          { key: "metadata.name", operator: "In" },
          { key: "metadata.name", operator: "In", values: ["A"] },
        ],
      }),
      [
        ...below(`${nodeTerms}[0].matchFields`, [
          '[0].operator: Invalid value: "Exists": not a valid selector operator',
          '[0].key: Invalid value: "spec.a": not a valid field selector key',
          "[1].values: Required value: must be only one value when `operator` is 'In' or 'NotIn' for node field selector",
        ]),
        subdomain,
      ],
    ],
    [
      "an invalid weight",
      { affinity: { nodeAffinity: { [preferred]: [{ weight: 0, preference: {} }] } } },
      [`spec.affinity.nodeAffinity.${preferred}[0].weight: Invalid value: 0: must be in the range 1-100`],
    ],
  ])("%s", check);
});

describe("affinity to pods is refused for", () => {
  test.each<Row>([
    [
      "an empty topology key",
      podTerm({ topologyKey: "" }),
      [
        `${podTermPath}.topologyKey: Required value: can not be empty`,
        `${podTermPath}.topologyKey: Invalid value: "": name part must be non-empty`,
        namePart,
      ],
    ],
    ["invalid namespaces", podTerm({ namespaces: ["A"] }), [label]],
    [
      "an invalid selector",
      podTerm({ labelSelector: { matchExpressions: [{ key: "a", operator: "X" }] } }),
      [
        `${podTermPath}.labelSelector.matchExpressions[0].operator: Invalid value: "X": not a valid selector operator`,
      ],
    ],
    [
      "label keys without a selector",
      podTerm({ labelSelector: null, matchLabelKeys: ["a"], mismatchLabelKeys: ["b"] }),
      ["matchLabelKeys", "mismatchLabelKeys"].map(
        (list) => `${podTermPath}.${list}: Forbidden: must not be specified when labelSelector is not set`,
      ),
    ],
    [
      "label keys that must both match and mismatch",
      podTerm({ matchLabelKeys: ["x"], mismatchLabelKeys: ["x"] }),
      [
        `${podTermPath}.matchLabelKeys[0]: Invalid value: "x": exists in both matchLabelKeys and mismatchLabelKeys`,
      ],
    ],
    [
      "a label key that the selector contains",
      podTerm({
        matchLabelKeys: ["a"],
        labelSelector: {
          matchLabels: { a: "b" },
          matchExpressions: [{ key: "a", operator: "In", values: ["b"] }],
        },
      }),
      [`${podTermPath}[0]: Invalid value: "a": exists in both matchLabelKeys and labelSelector`],
    ],
    [
      "an invalid weight",
      {
        affinity: {
          podAffinity: { [preferred]: [{ weight: 101, podAffinityTerm: { topologyKey: "k" } }] },
        },
      },
      [`spec.affinity.podAffinity.${preferred}[0].weight: Invalid value: 101: must be in the range 1-100`],
    ],
  ])("%s", check);
});

describe("a spread is refused for", () => {
  const constraint = { maxSkew: 1, topologyKey: "k", whenUnsatisfiable: "DoNotSchedule" };

  test.each<readonly [string, readonly JsonObject[], readonly unknown[]]>([
    [
      "empty fields",
      [{}],
      below("spec.topologySpreadConstraints[0].", [
        "maxSkew: Invalid value: 0: must be greater than zero",
        "topologyKey: Required value: can not be empty",
        'whenUnsatisfiable: Unsupported value: "": supported values: "DoNotSchedule", "ScheduleAnyway"',
      ]),
    ],
    [
      "a duplicate constraint",
      [constraint, { ...constraint, maxSkew: 2 }],
      [
        'spec.topologySpreadConstraints[0].{topologyKey, whenUnsatisfiable}: Duplicate value: "{k, DoNotSchedule}"',
      ],
    ],
    [
      "minDomains without DoNotSchedule",
      [{ ...constraint, whenUnsatisfiable: "ScheduleAnyway", minDomains: 0 }],
      below("spec.topologySpreadConstraints[0].minDomains: Invalid value: 0: ", [
        "must be greater than zero",
        "can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ScheduleAnyway",
      ]),
    ],
    [
      "unknown policies",
      [{ ...constraint, nodeAffinityPolicy: "X", nodeTaintsPolicy: "Y" }],
      below("spec.topologySpreadConstraints[0].", [
        'nodeAffinityPolicy: Unsupported value: "X": supported values: "Honor", "Ignore"',
        'nodeTaintsPolicy: Unsupported value: "Y": supported values: "Honor", "Ignore"',
      ]),
    ],
    [
      "label keys without a selector",
      [{ ...constraint, matchLabelKeys: ["a"] }],
      [
        "spec.topologySpreadConstraints[0].matchLabelKeys: Forbidden: must not be specified when labelSelector is not set",
      ],
    ],
    [
      "a label key that the selector contains",
      [{ ...constraint, matchLabelKeys: ["a"], labelSelector: { matchLabels: { a: "b" } } }],
      [
        'spec.topologySpreadConstraints[0].matchLabelKeys[0]: Invalid value: "a": exists in both matchLabelKeys and labelSelector',
      ],
    ],
    [
      "an invalid selector",
      [{ ...constraint, labelSelector: { matchExpressions: [{ key: "a", operator: "X" }] } }],
      [
        'spec.topologySpreadConstraints[0].labelSelector.matchExpressions[0].operator: Invalid value: "X": not a valid selector operator',
      ],
    ],
  ])("%s", (_title, topologySpreadConstraints, findings) => {
    expect(podSpecFindings({ topologySpreadConstraints })).toEqual(findings);
  });
});

describe("names are refused for", () => {
  const address = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";

  test.each<Row>([
    [
      "the policy None without a configuration",
      { dnsPolicy: "None" },
      ["spec.dnsConfig: Required value: must provide `dnsConfig` when `dnsPolicy` is None"],
    ],
    [
      "the policy None without a nameserver",
      { dnsPolicy: "None", dnsConfig: {} },
      [
        "spec.dnsConfig.nameservers: Required value: must provide at least one DNS nameserver when `dnsPolicy` is None",
      ],
    ],
    [
      "too many nameservers, one of them invalid",
      { dnsConfig: { nameservers: ["1.1.1.1", "1.1.1.2", "1.1.1.3", "a"] } },
      [
        'spec.dnsConfig.nameservers: Invalid value: []string{"1.1.1.1", "1.1.1.2", "1.1.1.3", "a"}: must not have more than 3 nameservers',
        `spec.dnsConfig.nameservers[3]: Invalid value: "a": ${address}`,
      ],
    ],
    [
      "too many search domains",
      { dnsConfig: { searches: Array.from({ length: 33 }, () => "a") } },
      [expect.stringMatching(/searches: Invalid value: .*: must not have more than 32 search paths/)],
    ],
    [
      "too long a list of search domains",
      { dnsConfig: { searches: Array.from({ length: 9 }, () => "a".repeat(240)) } },
      expect.arrayContaining([
        expect.stringContaining(
          "must not have more than 2048 characters (including spaces) in the search list",
        ),
      ]),
    ],
    [
      "invalid search domains and options",
      { dnsConfig: { searches: ["_a", "."], options: [{}] } },
      [subdomain, subdomain, "spec.dnsConfig.options[0]: Required value: must not be empty"],
    ],
    [
      "invalid host aliases",
      { hostAliases: [{ ip: "a", hostnames: ["A"] }] },
      [`spec.hostAliases[0].ip: Invalid value: "a": ${address}`, subdomain],
    ],
  ])("%s", (_title, spec, findings) => expect(podSpecFindings(spec)).toEqual(findings));
});
