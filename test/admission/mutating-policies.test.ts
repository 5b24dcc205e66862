import { expect, test } from "vitest";
import { type Cluster, createCluster, type JsonObject, type KubeObject, StatusError } from "../../src/index.ts";
import { binding, configMap, policy, ruleFor } from "./policy-objects.ts";

/** A cluster with these objects and no controllers. */
function clusterWith(...objects: readonly KubeObject[]): Cluster {
  return createCluster({ controllers: [], objects });
}

/** The object as it was created, or the message of the refusal. */
async function created(cluster: Cluster, object: KubeObject): Promise<KubeObject | string> {
  try {
    return await cluster.create(object);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return error.message;
  }
}

const deployments = { matchConstraints: { resourceRules: [ruleFor("deployments", "apps")] } };

/** A Deployment with this spec besides what it needs. */
function deployment(spec: JsonObject = {}, container: JsonObject = {}): KubeObject {
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "a", namespace: "default", labels: { x: "1" } },
    spec: {
      selector: { matchLabels: { app: "a" } },
      template: {
        metadata: { labels: { app: "a" } },
        spec: { containers: [{ name: "a", image: "a", ...container }] },
      },
      ...spec,
    },
  };
}

function applying(expression: string): JsonObject {
  return { patchType: "ApplyConfiguration", applyConfiguration: { expression } };
}

function patching(expression: string): JsonObject {
  return { patchType: "JSONPatch", jsonPatch: { expression } };
}

const denied = (text: string) => `policy 'p' with binding 'b' denied request: ${text}`;

async function mutated(mutation: JsonObject, object: KubeObject): Promise<KubeObject | string> {
  const spec = { ...deployments, reinvocationPolicy: "Never", mutations: [mutation] };
  return created(clusterWith(policy("Mutating", spec), binding("Mutating")), object);
}

const volumes = "Object.spec.template.spec.volumes";
const template = (spec: string) =>
  `Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{${spec}}}}}`;

test.each<readonly [title: string, expression: string, expected: JsonObject]>([
  [
    "adds to a list of items with keys",
    template(`volumes: [${volumes}{name: "y", hostPath: ${volumes}.hostPath{path: "/y"}}]`),
    { spec: { template: { spec: { volumes: [{ name: "x" }, { name: "y", hostPath: { path: "/y" } }] } } } },
  ],
  [
    "changes an item with the same key",
    template(`volumes: [${volumes}{name: "x", configMap: ${volumes}.configMap{defaultMode: 420, name: "c"}}]`),
    { spec: { template: { spec: { volumes: [{ name: "x", configMap: { name: "c" } }] } } } },
  ],
  [
    "computes with the object",
    "Object{spec: Object.spec{replicas: object.spec.replicas % 2 == 0 ? object.spec.replicas + 1 : 0}}",
    { spec: { replicas: 3 } },
  ],
  [
    "merges maps",
    'Object{metadata: Object.metadata{labels: {"y": "2"}, ?annotations: optional.none()}}',
    { metadata: { labels: { x: "1", y: "2" } } },
  ],
  [
    "loops over containers",
    template(
      `containers: object.spec.template.spec.containers.map(c, Object.spec.template.spec.containers{name: c.name, imagePullPolicy: "Never"})`,
    ),
    { spec: { template: { spec: { containers: [{ name: "a", image: "a", imagePullPolicy: "Never" }] } } } },
  ],
])("a configuration %s", async (_title, expression, expected) => {
  const object = deployment({ replicas: 2 });
  const made = deployment({ replicas: 2, template: { ...podTemplate(object), spec: { ...podSpec(object), volumes: [{ name: "x", emptyDir: {} }] } } });
  expect(await mutated(applying(expression), made)).toMatchObject(expected);
});

function podTemplate({ spec }: KubeObject): JsonObject {
  return (spec as { template: JsonObject }).template;
}

function podSpec(object: KubeObject): JsonObject {
  return podTemplate(object)["spec"] as JsonObject;
}
