import type { Statement } from "../statement.ts";
import { kindStatements, letters, podSpec, pods } from "./kind-cases.ts";

const nterm = (term: object) => ({
  nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] } },
});
const pterm = (term: object) => ({ podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } });

export const podSchedulingStatements: readonly Statement[] = [
  ...kindStatements(
    {
      subject: "a Pod whose affinity has",
      source: "kubernetes, pkg/apis/core/validation/validation_test.go, TestValidatePod",
      target: pods,
      body: (changes) => podSpec({ affinity: changes }),
    },
    [
      [
        "node no terms",
        { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } } },
        "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms",
      ],
      ["node empty term", nterm({})],
      ["node fields", nterm({ matchFields: [{ key: "metadata.name", operator: "In", values: ["x"] }] })],
      [
        "node fields two values",
        nterm({ matchFields: [{ key: "metadata.name", operator: "In", values: ["x", "y"] }] }),
        "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchFields[0].values",
      ],
      [
        "node fields other",
        nterm({ matchFields: [{ key: "metadata.namespace", operator: "In", values: ["x"] }] }),
        "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchFields[0].key",
      ],
      [
        "node fields exists",
        nterm({ matchFields: [{ key: "metadata.name", operator: "Exists" }] }),
        "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchFields[0].operator",
      ],
      [
        "node fields bad value",
        nterm({ matchFields: [{ key: "metadata.name", operator: "In", values: ["x@"] }] }),
        "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchFields[0].values[0]",
      ],
      [
        "node Gt two",
        nterm({ matchExpressions: [{ key: "a", operator: "Gt", values: ["1", "2"] }] }),
        "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].values",
      ],
      ["node Gt text", nterm({ matchExpressions: [{ key: "a", operator: "Gt", values: ["x"] }] })],
      [
        "node In none",
        nterm({ matchExpressions: [{ key: "a", operator: "In" }] }),
        "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].values",
      ],
      [
        "node bad key",
        nterm({ matchExpressions: [{ key: "invalid key ___@#", operator: "Exists" }] }),
        "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].key",
      ],
      [
        "node In bad value",
        nterm({ matchExpressions: [{ key: "a", operator: "In", values: ["a b"] }] }),
        "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].values[0]",
      ],
      [
        "pref weight 0",
        {
          nodeAffinity: {
            preferredDuringSchedulingIgnoredDuringExecution: [
              { weight: 0, preference: { matchExpressions: [{ key: "a", operator: "Exists" }] } },
            ],
          },
        },
        "spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight",
      ],
      [
        "pref weight 101",
        {
          nodeAffinity: {
            preferredDuringSchedulingIgnoredDuringExecution: [
              { weight: 101, preference: { matchExpressions: [{ key: "a", operator: "Exists" }] } },
            ],
          },
        },
        "spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight",
      ],
      [
        "pod no key",
        pterm({ labelSelector: {} }),
        "spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey",
      ],
      ["pod ok", pterm({ topologyKey: "zone", labelSelector: {} })],
      [
        "pod bad key",
        pterm({ topologyKey: "a b" }),
        "spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey",
      ],
      [
        "pod bad ns",
        pterm({ topologyKey: "z", namespaces: ["INVALID_NAMESPACE"] }),
        "spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].namespace",
      ],
      [
        "pod sel op",
        pterm({
          topologyKey: "z",
          labelSelector: { matchExpressions: [{ key: "k", operator: "Exists", values: ["v"] }] },
        }),
        "spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].labelSelector.matchExpressions[0].values",
      ],
      [
        "pod nssel bad",
        pterm({ topologyKey: "z", namespaceSelector: { matchExpressions: [{ key: "k", operator: "In" }] } }),
        "spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].namespaceSelector.matchExpressions[0].values",
      ],
      [
        "pod matchLabelKeys no sel",
        pterm({ topologyKey: "z", matchLabelKeys: ["a"] }),
        "spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].matchLabelKeys",
      ],
      [
        "pod matchLabelKeys dup",
        pterm({
          topologyKey: "z",
          labelSelector: { matchLabels: { x: "y" } },
          matchLabelKeys: ["a"],
          mismatchLabelKeys: ["a"],
        }),
        "spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].matchLabelKeys[0]",
      ],
      [
        "pod matchLabelKeys in sel",
        pterm({ topologyKey: "z", labelSelector: { matchLabels: { x: "y" } }, matchLabelKeys: ["x"] }),
      ],
    ],
  ),
  ...kindStatements(
    {
      subject: "a Pod whose spread constraint has",
      source:
        "kubernetes, pkg/apis/core/validation/validation_test.go, TestValidateTopologySpreadConstraints",
      target: pods,
      body: (changes) =>
        podSpec({
          topologySpreadConstraints: [
            { maxSkew: 1, topologyKey: "zone", whenUnsatisfiable: "DoNotSchedule", ...changes },
          ],
        }),
    },
    [
      ["ok", {}],
      ["skew 0", { maxSkew: 0 }, "spec.topologySpreadConstraints[0].maxSkew"],
      ["no key", { topologyKey: "" }, "spec.topologySpreadConstraints[0].topologyKey"],
      ["bad when", { whenUnsatisfiable: "N/A" }, "spec.topologySpreadConstraints[0].whenUnsatisfiable"],
      ["minDomains 0", { minDomains: 0 }, "spec.topologySpreadConstraints[0].minDomains"],
      [
        "minDomains anyway",
        { minDomains: 1, whenUnsatisfiable: "ScheduleAnyway" },
        "spec.topologySpreadConstraints[0].minDomains",
      ],
      ["policy bad", { nodeAffinityPolicy: "Q" }, "spec.topologySpreadConstraints[0].nodeAffinityPolicy"],
      ["mlk no sel", { matchLabelKeys: ["a"] }, "spec.topologySpreadConstraints[0].matchLabelKeys"],
      [
        "mlk in sel",
        { labelSelector: { matchLabels: { a: "b" } }, matchLabelKeys: ["a"] },
        "spec.topologySpreadConstraints[0].matchLabelKeys[0]",
      ],
      [
        "sel bad",
        { labelSelector: { matchLabels: { "a b": "x" } } },
        "spec.topologySpreadConstraints[0].labelSelector.matchLabels",
      ],
    ],
  ),
  ...kindStatements(
    {
      subject: "a PriorityClass",
      source: "kubernetes, pkg/apis/scheduling/validation/validation_test.go",
      target: "/apis/scheduling.k8s.io/v1/priorityclasses",
      body: (changes) => ({ value: 100, ...changes }),
    },
    [
      ["ok", { globalDefault: false }],
      ["too high", { value: 1000000001 }, "value"],
      ["max", { value: 1000000000 }],
      ["neg", { value: -5 }],
      ["system name", { metadata: { name: "system-x" } }, "metadata.name"],
      ["preemption bad", { preemptionPolicy: "Q" }, "preemptionPolicy"],
      ["preemption empty", { preemptionPolicy: "" }, "preemptionPolicy"],
    ],
  ),
  ...kindStatements(
    {
      subject: "a RuntimeClass",
      source: "kubernetes, pkg/apis/node/validation/validation_test.go",
      target: "/apis/node.k8s.io/v1/runtimeclasses",
      body: (changes) => ({ handler: "bar", ...changes }),
    },
    [
      ["ok", {}],
      ["handler upper", { handler: "&@#$" }, "handler"],
      ["handler long", { handler: letters(64) }, "handler"],
      ["no handler", { handler: "" }, "handler"],
      ["overhead neg", { overhead: { podFixed: { cpu: "-1" } } }, "overhead.limits[cpu]"],
      ["overhead bad name", { overhead: { podFixed: { my: "1" } } }, "overhead.limits[my]"],
      ["sched selector bad", { scheduling: { nodeSelector: { "a b": "x" } } }, "scheduling.nodeSelector"],
    ],
  ),
];
