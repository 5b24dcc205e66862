import type { JsonObject } from "../../../src/apimachinery/json.ts";

/** A definition like those of a project that people install, and an object that its schema accepts. */
export interface UsedDefinition {
  readonly project: string;
  readonly definition: JsonObject;
  readonly instance: JsonObject;
  /** What a read of the instance has besides what was sent: defaults. */
  readonly completed: JsonObject;
}

interface Parts {
  readonly project: string;
  readonly group: string;
  readonly kind: string;
  readonly versions?: readonly string[];
  readonly scope?: "Namespaced" | "Cluster";
  /** Fields besides those of the feature. */
  readonly fields: number;
  readonly feature: JsonObject;
  readonly more?: JsonObject;
  readonly annotations?: JsonObject;
  readonly spec: JsonObject;
  readonly completed?: JsonObject;
}

const text: JsonObject = {
  type: "string",
  // Most of the size of real definitions is documentation.
  description: "A value that the operator reads and does not change. ".repeat(5),
};

/** Groups of 25 fields: texts, quantities, durations, enums, lists with keys and maps. */
function fields(count: number): JsonObject {
  const field = (i: number): JsonObject => {
    switch (i % 5) {
      case 0:
        return { ...text, maxLength: 253, pattern: "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$" };
      case 1:
        return { anyOf: [{ type: "integer" }, { type: "string" }], "x-kubernetes-int-or-string": true };
      case 2:
        return { type: "string", enum: ["Always", "Never", "IfNotPresent"] };
      case 3:
        return { type: "object", additionalProperties: { type: "string" } };
      default:
        return {
          type: "array",
          items: { type: "object", required: ["name"], properties: { name: text, value: text } },
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["name"],
        };
    }
  };
  const group = (i: number): JsonObject => ({
    type: "object",
    properties: Object.fromEntries(Array.from({ length: 25 }, (_, j) => [`field${j}`, field(i + j)])),
  });
  return Object.fromEntries(Array.from({ length: Math.ceil(count / 25) }, (_, i) => [`group${i}`, group(i)]));
}

function usedDefinition(parts: Parts): UsedDefinition {
  const {
    project,
    group,
    kind,
    versions = ["v1"],
    scope = "Namespaced",
    feature,
    spec,
    completed = {},
  } = parts;
  const plural = `${kind.toLowerCase()}s`;
  const openAPIV3Schema: JsonObject = {
    type: "object",
    properties: {
      apiVersion: { type: "string" },
      kind: { type: "string" },
      metadata: { type: "object" },
      spec: { type: "object", properties: { ...fields(parts.fields), ...feature }, ...parts.more },
      status: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    },
  };
  const version = (name: string, i: number): JsonObject => ({
    name,
    served: true,
    storage: i === 0,
    schema: { openAPIV3Schema },
    subresources: { status: {} },
    additionalPrinterColumns: [
      { name: "Ready", type: "string", jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
      { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
    ],
  });
  return {
    project,
    definition: {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: `${plural}.${group}`, ...(parts.annotations && { annotations: parts.annotations }) },
      spec: { group, scope, names: { plural, kind, categories: ["all"] }, versions: versions.map(version) },
    },
    instance: {
      apiVersion: `${group}/${versions.at(-1)}`,
      kind,
      metadata: { name: "one", ...(scope === "Namespaced" && { namespace: "default" }) },
      spec,
    },
    completed: { ...spec, ...completed },
  };
}

const approved = { "api-approved.kubernetes.io": "https://github.com/kubernetes-sigs/gateway-api/pull/1" };
const duration: JsonObject = { type: "string", pattern: "^([0-9]{1,5}(h|m|s|ms)){1,4}$" };

/** Rules that compare fields, as Gateway API has many. */
const rules = (count: number): JsonObject => ({
  "x-kubernetes-validations": Array.from({ length: count }, (_, i) => ({
    rule: `!has(self.first) || !has(self.second) || self.first != self.second || self.first.size() > ${i}`,
    message: `first and second must differ, rule ${i}`,
  })),
});

const big: readonly UsedDefinition[] = [
  usedDefinition({
    project: "cert-manager",
    group: "cert-manager.example",
    kind: "Certificate",
    fields: 300,
    feature: {
      secretName: text,
      duration,
      issuerRef: { type: "object", required: ["name"], properties: { name: text, kind: text } },
      privateKey: {
        type: "object",
        default: {},
        properties: { algorithm: { type: "string", enum: ["RSA", "ECDSA"], default: "RSA" } },
      },
    },
    more: { required: ["secretName", "issuerRef"] },
    spec: { secretName: "tls", duration: "24h", issuerRef: { name: "ca" } },
    completed: { privateKey: { algorithm: "RSA" } },
  }),
  usedDefinition({
    project: "Prometheus Operator",
    group: "monitoring.example",
    kind: "Prometheus",
    fields: 4000,
    feature: {
      replicas: { type: "integer", format: "int32" },
      portName: { type: "string", default: "web" },
      podMetadata: { type: "object", properties: { labels: { type: "object", additionalProperties: text } } },
    },
    spec: { replicas: 2, podMetadata: { labels: { app: "prometheus" } } },
    completed: { portName: "web" },
  }),
  usedDefinition({
    project: "Gateway API",
    group: "gateway.example.k8s.io",
    kind: "HTTPRoute",
    versions: ["v1", "v1beta1"],
    fields: 200,
    annotations: approved,
    feature: {
      first: { type: "string", maxLength: 63 },
      second: { type: "string", maxLength: 63 },
      rules: {
        type: "array",
        maxItems: 16,
        default: [{ matches: [{ path: { type: "PathPrefix", value: "/" } }] }],
        items: {
          type: "object",
          properties: {
            matches: {
              type: "array",
              maxItems: 8,
              items: {
                type: "object",
                properties: {
                  path: {
                    type: "object",
                    default: { type: "PathPrefix", value: "/" },
                    properties: {
                      type: { type: "string", enum: ["Exact", "PathPrefix"], default: "PathPrefix" },
                      value: { type: "string", default: "/", maxLength: 1024 },
                    },
                    "x-kubernetes-validations": [
                      { rule: "self.value.startsWith('/')", message: "value must be an absolute path" },
                    ],
                  },
                },
              },
            },
          },
        },
      },
    },
    more: rules(60),
    spec: { first: "a", second: "b" },
    completed: { rules: [{ matches: [{ path: { type: "PathPrefix", value: "/" } }] }] },
  }),
  usedDefinition({
    project: "Argo CD",
    group: "argoproj.example",
    kind: "Application",
    fields: 600,
    feature: {
      project: text,
      source: {
        type: "object",
        properties: { repoURL: text, helm: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
    },
    more: { required: ["project"] },
    spec: {
      project: "default",
      source: { repoURL: "https://example.com", helm: { any: { thing: [1, "two"] } } },
    },
  }),
  usedDefinition({
    project: "Crossplane",
    group: "crossplane.example",
    kind: "Composition",
    scope: "Cluster",
    fields: 200,
    feature: {
      resources: {
        type: "array",
        items: {
          type: "object",
          properties: {
            name: text,
            base: {
              type: "object",
              "x-kubernetes-embedded-resource": true,
              "x-kubernetes-preserve-unknown-fields": true,
            },
          },
        },
      },
      mode: { type: "string", default: "Resources", enum: ["Resources", "Pipeline"] },
    },
    spec: {
      resources: [
        {
          name: "a",
          base: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "b" }, data: { c: "d" } },
        },
      ],
    },
    completed: { mode: "Resources" },
  }),
  usedDefinition({
    project: "Knative",
    group: "serving.example",
    kind: "Revision",
    fields: 800,
    feature: {
      timeoutSeconds: { type: "integer", format: "int64" },
      containerConcurrency: { type: "integer", format: "int64", minimum: 0, maximum: 1000 },
      template: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    },
    spec: {
      timeoutSeconds: 300,
      containerConcurrency: 0,
      template: { spec: { containers: [{ image: "i" }] } },
    },
  }),
];

/** Twenty definitions: one of each project, and small ones of which a chart has many. */
export const usedDefinitions: readonly UsedDefinition[] = [
  ...big,
  ...Array.from({ length: 20 - big.length }, (_, i) =>
    usedDefinition({
      project: `chart ${i}`,
      group: "charts.example",
      kind: `Chart${i}x`,
      fields: 25,
      feature: { size: { type: "integer", default: i } },
      spec: {},
      completed: { size: i },
    }),
  ),
];
