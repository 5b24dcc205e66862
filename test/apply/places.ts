import type { JsonObject, JsonValue } from "../../src/index.ts";
import { configMaps, configOf, deployments, services } from "./apply-server.ts";

/** A field or item that a manager can own, and how to set its value. */
export interface Place {
  readonly title: string;
  /** The path of the object. */
  readonly at: string;
  /** The other fields that the object requires, applied by a separate manager. */
  readonly base: JsonObject;
  readonly field: string;
  readonly pointer: string;
  readonly config: (value: JsonValue) => JsonObject;
  readonly values: readonly [JsonValue, JsonValue];
  /** The value when no manager owns it. */
  readonly unowned: JsonValue | undefined;
}

const deployment = (config: JsonObject): JsonObject => configOf("apps/v1", "Deployment", "/d", config);
const service = (config: JsonObject): JsonObject => configOf("v1", "Service", "/s", config);
const configMap = (config: JsonObject): JsonObject => configOf("v1", "ConfigMap", "/c", config);

const podTemplate: JsonObject = {
  metadata: { labels: { app: "d" } },
  spec: { containers: [{ name: "c", image: "i" }] },
};
const aDeployment = deployment({
  spec: { selector: { matchLabels: { app: "d" } }, template: podTemplate },
});
const aService = service({ spec: { ports: [{ port: 80 }] } });
const inContainer = (container: JsonObject): JsonObject =>
  deployment({ spec: { template: { spec: { containers: [{ name: "c", ...container }] } } } });

export const places: readonly Place[] = [
  {
    title: "a scalar with a default",
    at: `${deployments}/d`,
    base: aDeployment,
    field: ".spec.replicas",
    pointer: "/spec/replicas",
    config: (replicas) => deployment({ spec: { replicas } }),
    values: [2, 3],
    unowned: 1,
  },
  {
    title: "a scalar without a default",
    at: `${deployments}/d`,
    base: aDeployment,
    field: ".spec.minReadySeconds",
    pointer: "/spec/minReadySeconds",
    config: (minReadySeconds) => deployment({ spec: { minReadySeconds } }),
    values: [2, 3],
    unowned: undefined,
  },
  {
    title: "an entry of a map",
    at: `${configMaps}/c`,
    base: configMap({ data: { base: "1" } }),
    field: ".data.k",
    pointer: "/data/k",
    config: (k) => configMap({ data: { k } }),
    values: ["1", "2"],
    unowned: undefined,
  },
  {
    title: "an entry of the annotations",
    at: `${configMaps}/c`,
    base: configMap({ data: { base: "1" } }),
    field: ".metadata.annotations.example.com/a",
    pointer: "/metadata/annotations/example.com~1a",
    config: (a) => configMap({ metadata: { annotations: { "example.com/a": a } } }),
    values: ["1", "2"],
    unowned: undefined,
  },
  {
    title: "a field of an item of a keyed list",
    at: `${deployments}/d`,
    base: aDeployment,
    field: '.spec.template.spec.containers[name="c"].workingDir',
    pointer: "/spec/template/spec/containers/0/workingDir",
    config: (workingDir) => inContainer({ workingDir }),
    values: ["/1", "/2"],
    unowned: undefined,
  },
  {
    title: "a field of an item of a keyed list within another",
    at: `${deployments}/d`,
    base: deployment({
      spec: {
        selector: { matchLabels: { app: "d" } },
        template: {
          ...podTemplate,
          spec: { containers: [{ name: "c", image: "i", env: [{ name: "E" }] }] },
        },
      },
    }),
    field: '.spec.template.spec.containers[name="c"].env[name="E"].value',
    pointer: "/spec/template/spec/containers/0/env/0/value",
    config: (value) => inContainer({ env: [{ name: "E", value }] }),
    values: ["1", "2"],
    unowned: undefined,
  },
  {
    title: "an atomic map",
    at: `${services}/s`,
    base: aService,
    field: ".spec.selector",
    pointer: "/spec/selector",
    config: (selector) => service({ spec: { selector } }),
    values: [{ a: "1" }, { a: "2" }],
    unowned: undefined,
  },
  {
    title: "an atomic list",
    at: `${services}/s`,
    base: aService,
    field: ".spec.externalIPs",
    pointer: "/spec/externalIPs",
    config: (externalIPs) => service({ spec: { externalIPs } }),
    values: [["203.0.113.1"], ["203.0.113.2", "203.0.113.1"]],
    unowned: undefined,
  },
];

/** The steps of a JSON pointer. */
function stepsOf(pointer: string): readonly string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/"));
}

/** The value at a JSON pointer. */
export function valueAt(object: JsonObject, pointer: string): JsonValue | undefined {
  return stepsOf(pointer).reduce<JsonValue | undefined>(
    (value, step) =>
      // Lists are objects too, and have their items by index.
      typeof value === "object" && value !== null ? (value as JsonObject)[step] : undefined,
    object,
  );
}

/** The object with another value at a JSON pointer; missing parents are created. */
export function withValueAt(object: JsonObject, pointer: string, value: JsonValue): JsonObject {
  const copy: JsonObject = structuredClone(object);
  const steps = [...stepsOf(pointer)];
  const last = steps.pop() ?? "";
  let parent = copy as { [key: string]: JsonValue };
  for (const step of steps) {
    parent[step] ??= {};
    parent = parent[step] as { [key: string]: JsonValue };
  }
  parent[last] = value;
  return copy;
}
