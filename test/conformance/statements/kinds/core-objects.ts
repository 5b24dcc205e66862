import type { Statement } from "../statement.ts";
import { core, kindStatements } from "./kind-cases.ts";

export const coreObjectsStatements: readonly Statement[] = [
  ...kindStatements(
    {
      subject: "a Secret",
      source: "kubernetes, pkg/apis/core/validation/validation_test.go, TestValidateSecret",
      target: `${core}/secrets`,
      body: (changes) => changes,
    },
    [
      ["ok", { data: { a: "eA==" } }],
      [
        "sa token no annot",
        { type: "kubernetes.io/service-account-token" },
        "metadata.annotations[kubernetes.io/service-account.name]",
      ],
      ["dockercfg none", { type: "kubernetes.io/dockercfg" }, "data[.dockercfg]"],
      [
        "dockercfg bad",
        { type: "kubernetes.io/dockercfg", stringData: { ".dockercfg": "x" } },
        "data[.dockercfg]",
      ],
      [
        "dockerconfigjson ok",
        { type: "kubernetes.io/dockerconfigjson", stringData: { ".dockerconfigjson": "{}" } },
      ],
      [
        "dockerconfigjson list",
        { type: "kubernetes.io/dockerconfigjson", stringData: { ".dockerconfigjson": "[]" } },
        "data[.dockerconfigjson]",
      ],
      ["basic none", { type: "kubernetes.io/basic-auth" }, "data[username]"],
      ["basic user", { type: "kubernetes.io/basic-auth", stringData: { username: "" } }],
      ["ssh none", { type: "kubernetes.io/ssh-auth" }, "data[ssh-privatekey]"],
      [
        "ssh empty",
        { type: "kubernetes.io/ssh-auth", stringData: { "ssh-privatekey": "" } },
        "data[ssh-privatekey]",
      ],
      ["tls none", { type: "kubernetes.io/tls" }, "data[tls.crt]"],
      ["tls empties", { type: "kubernetes.io/tls", stringData: { "tls.crt": "", "tls.key": "" } }],
      ["large", { stringData: { a: "x".repeat(1024 * 1024 + 1) } }, "data"],
      ["exact", { stringData: { a: "x".repeat(1024 * 1024) } }],
    ],
  ),
  ...kindStatements(
    {
      subject: "a ConfigMap",
      source: "kubernetes, pkg/apis/core/validation/validation_test.go, TestValidateConfigMap",
      target: `${core}/configmaps`,
      body: (changes) => changes,
    },
    [
      ["both", { data: { a: "x" }, binaryData: { a: "eA==" } }, "data[a]"],
      ["large", { data: { a: "x".repeat(1024 * 1024 + 1) } }, "[]"],
    ],
  ),
  ...kindStatements(
    {
      subject: "a Node",
      source: "kubernetes, pkg/apis/core/validation/validation_test.go, TestValidateNode",
      target: "/api/v1/nodes",
      body: (changes) => changes,
    },
    [
      ["ok", {}],
      [
        "taint dup",
        {
          spec: {
            taints: [
              { key: "a", value: "b", effect: "NoSchedule" },
              { key: "a", value: "c", effect: "NoSchedule" },
            ],
          },
        },
        "metadata.taints[1]",
      ],
      ["taint no key", { spec: { taints: [{ key: "", effect: "NoSchedule" }] } }, "metadata.taints[0].key"],
      ["taint no effect", { spec: { taints: [{ key: "a" }] } }, "metadata.taints[0].effect"],
      ["taint bad effect", { spec: { taints: [{ key: "a", effect: "Q" }] } }, "metadata.taints[0].effect"],
      [
        "taint value bad",
        { spec: { taints: [{ key: "a", value: "a b", effect: "NoSchedule" }] } },
        "metadata.taints[0].value",
      ],
      ["cidrs 2 v4", { spec: { podCIDRs: ["10.0.0.0/24", "10.0.1.0/24"] } }, "spec.podCIDRs"],
      ["cidrs dual", { spec: { podCIDRs: ["10.0.0.0/24", "fd00::/64"] } }],
      ["cidr bad", { spec: { podCIDR: "10.0.0" } }, "spec.podCIDRs[0]"],
      ["cap frac pods", { status: { capacity: { pods: "1.5" } } }, "status.capacity.pods"],
    ],
  ),
  ...kindStatements(
    {
      subject: "a ResourceQuota",
      source: "kubernetes, pkg/apis/core/validation/validation_test.go, TestValidateResourceQuota",
      target: `${core}/resourcequotas`,
      body: (changes) => ({ spec: changes }),
    },
    [
      ["frac pods", { hard: { pods: ".5" } }, "spec.hard[pods]"],
      [
        "std",
        {
          hard: {
            "requests.cpu": "1",
            "limits.memory": "1",
            "count/deployments.apps": "1",
            "requests.nvidia.com/gpu": "1",
          },
        },
      ],
      ["limits.ext", { hard: { "limits.nvidia.com/gpu": "1" } }],
      ["hugepages", { hard: { "requests.hugepages-2Mi": "1", "hugepages-2Mi": "2Mi" } }],
      ["storageclass", { hard: { "gold.storageclass.storage.k8s.io/requests.storage": "1" } }],
      ["scope besteffort cpu", { scopes: ["BestEffort"], hard: { cpu: "1" } }, "spec.scopes"],
      ["scope terminating pods", { scopes: ["Terminating"], hard: { pods: "1", "limits.cpu": "1" } }],
      ["scope dup", { scopes: ["Terminating", "Terminating"] }],
      [
        "scope selector NotIn none",
        { scopeSelector: { matchExpressions: [{ scopeName: "PriorityClass", operator: "In" }] } },
        "spec.scopeSelector.matchExpressions.values",
      ],
      [
        "scope selector exists values",
        {
          scopeSelector: {
            matchExpressions: [{ scopeName: "PriorityClass", operator: "Exists", values: ["a"] }],
          },
        },
        "spec.scopeSelector.matchExpressions.values",
      ],
    ],
  ),
  ...kindStatements(
    {
      subject: "a Namespace",
      source: "kubernetes, pkg/apis/core/validation/validation_test.go, TestValidateNamespace",
      target: "/api/v1/namespaces",
      body: (changes) => changes,
    },
    [
      ["finalizer bad", { spec: { finalizers: ["example.com/x/y"] } }, "spec.finalizers"],
      ["finalizer unqualified", { spec: { finalizers: ["foo"] } }, "spec.finalizers"],
      ["finalizer ok", { spec: { finalizers: ["example.com/x"] } }],
    ],
  ),
  ...kindStatements(
    {
      subject: "an Event",
      source: "kubernetes, pkg/apis/core/validation/events_test.go",
      target: `${core}/events`,
      body: (changes) => ({ involvedObject: { kind: "Pod", namespace: "default", name: "p" }, ...changes }),
    },
    [
      ["ok", {}],
      [
        "ns mismatch",
        { involvedObject: { kind: "Pod", namespace: "other", name: "p" } },
        "involvedObject.namespace",
      ],
      ["no ns in default", { involvedObject: { kind: "Node", name: "p" } }],
      ["type any", { type: "Q" }],
    ],
  ),
  ...kindStatements(
    {
      subject: "a ServiceAccount",
      source: "kubernetes, pkg/apis/core/validation/validation_test.go",
      target: `${core}/serviceaccounts`,
      body: (changes) => changes,
    },
    [["ok", { secrets: [{ name: "" }] }]],
  ),
];
