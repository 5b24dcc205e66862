import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { Release } from "../../../apimachinery/release.ts";
import { featureGates } from "../../../catalog/feature-gates.ts";
import { podTemplateWarnings, podWarnings } from "./pod-warnings.ts";

type Row = readonly [title: string, spec: JsonObject, warnings: readonly string[]];

const gates = featureGates("1.32");
const required = "requiredDuringSchedulingIgnoredDuringExecution";
const preferred = "preferredDuringSchedulingIgnoredDuringExecution";
const nullSelector = "a null labelSelector results in matching no pod";

function check(_title: string, spec: JsonObject, warnings: readonly string[]): void {
  expect(podWarnings({ spec }, gates)).toEqual(warnings);
}

function env(...variables: readonly JsonObject[]): JsonObject {
  return { containers: [{ name: "c", env: variables }] };
}

function ports(...list: readonly JsonObject[]): JsonObject {
  return { containers: [{ name: "c", ports: list.map((port) => ({ protocol: "TCP", ...port })) }] };
}

test("a spec without warnings is checked again with other annotations", () => {
  const spec: JsonObject = Object.freeze({ terminationGracePeriodSeconds: 1 });
  const annotated = (name: string) => podWarnings({ spec, metadata: { annotations: { [name]: "" } } }, gates);
  expect(podWarnings({ spec }, gates)).toEqual([]);
  expect(annotated("scheduler.alpha.kubernetes.io/critical-pod")).toHaveLength(1);
  expect(podWarnings({ spec }, gates)).toEqual([]);
});

describe("labels of nodes are deprecated", () => {
  test.each<readonly [string, string]>([
    ["beta.kubernetes.io/arch", 'deprecated since v1.14; use "kubernetes.io/arch" instead'],
    ["beta.kubernetes.io/os", 'deprecated since v1.14; use "kubernetes.io/os" instead'],
    [
      "failure-domain.beta.kubernetes.io/region",
      'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
    ],
    [
      "failure-domain.beta.kubernetes.io/zone",
      'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
    ],
    [
      "beta.kubernetes.io/instance-type",
      'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
    ],
    ["app.kubernetes.io/created-by", "deprecated since v1.9"],
    [
      "scheduler.alpha.kubernetes.io/preferAvoidPods",
      "deprecated since v1.22; use Taints and Tolerations instead",
    ],
    ["node-role.kubernetes.io/master", 'use "node-role.kubernetes.io/control-plane" instead'],
  ])("%s", (label, advice) => {
    const nodeSelectorTerms = [{ matchExpressions: [{ key: label, operator: "Exists" }] }];
    const spec = {
      nodeSelector: { [label]: "x" },
      affinity: { nodeAffinity: { [required]: { nodeSelectorTerms } } },
      topologySpreadConstraints: [{ topologyKey: label, labelSelector: {} }],
    };
    expect(podWarnings({ spec }, gates)).toEqual([
      `spec.nodeSelector[${label}]: ${advice}`,
      `spec.affinity.nodeAffinity.${required}.nodeSelectorTerms[0].matchExpressions[0].key: ${label} is ${advice}`,
      `spec.topologySpreadConstraints[0].topologyKey: ${label} is ${advice}`,
    ]);
  });

  test("and invalid values cause warnings in preferred terms", () => {
    const preference = { matchExpressions: [{ key: "a", operator: "In", values: ["-"] }] };
    const spec = { affinity: { nodeAffinity: { [preferred]: [{ weight: 1, preference }] } } };
    const [warning] = podWarnings({ spec }, gates);
    expect(warning).toMatch(
      /preference\.matchExpressions\[0\]\.values\[0\]: - is invalid, a valid label must be/,
    );
  });
});

describe("a pod has warnings for", () => {
  test.each<Row>([
    [
      "selectors that match nothing",
      {
        topologySpreadConstraints: [{ topologyKey: "k" }],
        affinity: {
          podAffinity: { [required]: [{ topologyKey: "k" }] },
          podAntiAffinity: { [preferred]: [{ weight: 1, podAffinityTerm: { topologyKey: "k" } }] },
        },
      },
      [
        `spec.topologySpreadConstraints[0].labelSelector: ${nullSelector}`,
        `spec.affinity.podAffinity.${required}[0].labelSelector: ${nullSelector}`,
        `spec.affinity.podAntiAffinity.${preferred}[0].podAffinityTerm.labelSelector: ${nullSelector}`,
      ],
    ],
    [
      "a variable that overrides another",
      env({ name: "A", value: "1" }, { name: "A", value: "2" }),
      ['spec.containers[0].env[1]: hides previous definition of "A", which may be dropped when using apply'],
    ],
    [
      "no variable that refers to its previous value",
      env({ name: "A", value: "1" }, { name: "A", value: "$(A) 2" }),
      [],
    ],
    [
      "duplicate ports",
      ports({ containerPort: 80 }, { containerPort: 80 }),
      ["spec.containers[0].ports[1]: duplicate port definition with spec.containers[0].ports[0]"],
    ],
    [
      "no ports with different protocols",
      ports({ containerPort: 80 }, { containerPort: 80, protocol: "UDP" }),
      [],
    ],
    [
      "ports that overlap",
      ports({ containerPort: 80 }, { containerPort: 80, hostPort: 81 }),
      ["spec.containers[0].ports[1]: overlapping port definition with spec.containers[0].ports[0]"],
    ],
    [
      "ambiguous ports",
      ports({ containerPort: 80, hostPort: 81 }, { containerPort: 80, hostPort: 81, hostIP: "1.2.3.4" }),
      ["spec.containers[0].ports[1]: dangerously ambiguous port definition with spec.containers[0].ports[0]"],
    ],
    [
      "an address without a port",
      ports({ containerPort: 80, hostIP: "1.2.3.4" }),
      [
        "spec.containers[0].ports[0]: hostIP set without hostPort: {Name: HostPort:0 ContainerPort:80 Protocol:TCP HostIP:1.2.3.4}",
      ],
    ],
    [
      "fractional bytes",
      {
        overhead: { memory: "1m" },
        containers: [
          { name: "c", resources: { requests: { memory: "1m" }, limits: { "ephemeral-storage": "10m" } } },
        ],
      },
      [
        'spec.overhead[memory]: fractional byte value "1m" is invalid, must be an integer',
        'spec.containers[0].resources.requests[memory]: fractional byte value "1m" is invalid, must be an integer',
        'spec.containers[0].resources.limits[ephemeral-storage]: fractional byte value "10m" is invalid, must be an integer',
      ],
    ],
    [
      "a negative grace period",
      { terminationGracePeriodSeconds: -1 },
      [
        "spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1",
      ],
    ],
    [
      "duplicate items",
      {
        imagePullSecrets: [{ name: "a" }, { name: "a" }, {}],
        hostAliases: [{ ip: "1.2.3.4" }, { ip: "1.2.3.4" }],
      },
      [
        'spec.hostAliases[1].ip: duplicate ip "1.2.3.4"',
        'spec.imagePullSecrets[1].name: duplicate name "a"',
        'spec.imagePullSecrets[2].name: invalid empty name ""',
      ],
    ],
    [
      "removed and deprecated volume types",
      {
        volumes: [
          "photonPersistentDisk",
          "gitRepo",
          "scaleIO",
          "flocker",
          "storageos",
          "quobyte",
          "glusterfs",
          "cephfs",
          "rbd",
        ].map((kind) => ({ name: kind, [kind]: {} })),
      },
      [
        "photonPersistentDisk: deprecated in v1.11, non-functional in v1.16+",
        "gitRepo: deprecated in v1.11",
        "scaleIO: deprecated in v1.16, non-functional in v1.22+",
        "flocker: deprecated in v1.22, non-functional in v1.25+",
        "storageOS: deprecated in v1.22, non-functional in v1.25+",
        "quobyte: deprecated in v1.22, non-functional in v1.25+",
        "glusterfs: deprecated in v1.25, non-functional in v1.26+",
        "cephfs: deprecated in v1.28, non-functional in v1.31+",
        "rbd: deprecated in v1.28, non-functional in v1.31+",
      ].map((warning, i) => `spec.volumes[${i}].${warning}`),
    ],
    [
      "fractional bytes in ephemeral claims",
      {
        volumes: [
          {
            name: "v",
            ephemeral: { volumeClaimTemplate: { spec: { resources: { requests: { storage: "1m" } } } } },
          },
        ],
      },
      [
        'spec.volumes[0].ephemeral.volumeClaimTemplate.spec.resources.requests[storage]: fractional byte value "1m" is invalid, must be an integer',
      ],
    ],
    [
      "overlapping files",
      {
        volumes: [
          { name: "v", configMap: { name: "m", items: [{ path: "a" }, { path: "a/b" }] } },
          {
            name: "w",
            projected: {
              sources: [
                { configMap: { name: "m", items: [{ path: "a" }] } },
                { serviceAccountToken: { path: "a" } },
                {},
              ],
            },
          },
        ],
      },
      [
        'volume "v" (ConfigMap "m"): overlapping paths: "a/b" with "a"',
        'volume "w" (Projected) has no sources provided',
        'volume "w" (Projected): overlapping paths: "a" (ServiceAccountToken) with "a" (ConfigMap "m")',
      ],
    ],
  ])("%s", check);
});

describe("annotations are deprecated", () => {
  const seccomp = 'non-functional in v1.27+; use the "seccompProfile" field instead';

  test.each<readonly [string, string]>([
    [
      "scheduler.alpha.kubernetes.io/critical-pod",
      'non-functional in v1.16+; use the "priorityClassName" field instead',
    ],
    ["security.alpha.kubernetes.io/sysctls", 'non-functional in v1.11+; use the "sysctls" field instead'],
    [
      "security.alpha.kubernetes.io/unsafe-sysctls",
      'non-functional in v1.11+; use the "sysctls" field instead',
    ],
    ["seccomp.security.alpha.kubernetes.io/pod", seccomp],
    ["container.seccomp.security.alpha.kubernetes.io/c", seccomp],
    [
      "container.apparmor.security.beta.kubernetes.io/c",
      'deprecated since v1.30; use the "appArmorProfile" field instead',
    ],
  ])("%s", (name, advice) => {
    const template = { metadata: { annotations: { [name]: "x" } }, spec: { containers: [{ name: "c" }] } };
    expect(podTemplateWarnings(template, "spec.template", gates)).toEqual([
      `spec.template.metadata.annotations[${name}]: ${advice}`,
    ]);
  });
});

describe("a release has warnings for its deprecations", () => {
  const addresses = {
    dnsConfig: { nameservers: ["05.06.07.08"] },
    hostAliases: [{ ip: "::ffff:1.2.3.4" }],
  };
  const profile = { "container.apparmor.security.beta.kubernetes.io/c": "x" };
  const templateOf = (spec: JsonObject) => ({ metadata: { annotations: profile }, spec });

  test.each<readonly [Release, JsonObject, readonly string[]]>([
    ["1.27", { volumes: [{ name: "v", rbd: {} }] }, []],
    [
      "1.28",
      { volumes: [{ name: "v", rbd: {} }] },
      ["spec.volumes[0].rbd: deprecated in v1.28, non-functional in v1.31+"],
    ],
    ["1.24", { volumes: [{ name: "v", glusterfs: {} }] }, []],
    [
      "1.25",
      { volumes: [{ name: "v", glusterfs: {} }] },
      ["spec.volumes[0].glusterfs: deprecated in v1.25, non-functional in v1.26+"],
    ],
    ["1.29", { containers: [{ name: "c" }] }, []],
    [
      "1.30",
      { containers: [{ name: "c" }] },
      [
        'metadata.annotations[container.apparmor.security.beta.kubernetes.io/c]: deprecated since v1.30; use the "appArmorProfile" field instead',
      ],
    ],
    ["1.32", addresses, []],
    [
      "1.33",
      addresses,
      [
        'spec.dnsConfig.nameservers[0]: non-standard IP address "05.06.07.08" will be considered invalid in a future Kubernetes release: use "5.6.7.8"',
        'spec.hostAliases[0].ip: non-standard IP address "::ffff:1.2.3.4" will be considered invalid in a future Kubernetes release: use "1.2.3.4"',
      ],
    ],
  ])("%s: %j", (release, spec, warnings) => {
    const prefix = "spec.template.";
    expect(podTemplateWarnings(templateOf(spec), "spec.template", featureGates(release))).toEqual(
      warnings.map((warning) => prefix + warning),
    );
  });
});
