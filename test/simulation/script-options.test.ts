import { expect, test } from "vitest";
import { type Cluster, createCluster, type NodeTaint } from "../../src/index.ts";
import {
  completes,
  crashLoop,
  drainBlocked,
  evicted,
  imageUnavailable,
  nodeDown,
  podWebhookDown,
  quotaUsedUp,
  running,
  slowTermination,
  unhealthy,
} from "../../src/scenario/presets.ts";

const time = 'must be milliseconds, or a duration such as "2s", not';
const code = "crashLoop: exitCode must be an integer from 0 to 255, not";

test.each<[message: string, script: () => unknown]>([
  [`running: readyAfter ${time} Infinity`, () => running({ readyAfter: Number.POSITIVE_INFINITY })],
  [`running: readyAfter ${time} NaN`, () => running({ readyAfter: Number.NaN })],
  [`running: pullTakes ${time} -1`, () => running({ pullTakes: -1 })],
  [`running: readyAfter ${time} "-2s"`, () => running({ readyAfter: "-2s" })],
  [`crashLoop: after ${time} Infinity`, () => crashLoop({ after: Number.POSITIVE_INFINITY })],
  [`completes: after ${time} "later"`, () => completes({ after: "later" })],
  [`unhealthy: after ${time} Infinity`, () => unhealthy({ after: Number.POSITIVE_INFINITY })],
  [`evicted: after ${time} NaN`, () => evicted({ after: Number.NaN })],
  [`slowTermination: takes ${time} Infinity`, () => slowTermination({ takes: Number.POSITIVE_INFINITY })],
  [`${code} 256`, () => crashLoop({ exitCode: 256 })],
  [`${code} -1`, () => crashLoop({ exitCode: -1 })],
  [`${code} 1.5`, () => crashLoop({ exitCode: 1.5 })],
  [`${code} NaN`, () => crashLoop({ exitCode: Number.NaN })],
])("a script refuses what no container does: %s", (message, script) => {
  expect(script).toThrow(message);
});

test.each([
  ["-1", { cpu: -1 }],
  ["1 core", { cpu: "1 core" }],
  ["NaN", { cpu: Number.NaN }],
  ["a list", { cpu: ["1"] }],
])("no node has the capacity %s", async (_title, capacity) => {
  await using cluster = createCluster({ simulate: ["kubelets"] });
  await expect(cluster.addNode({ name: "small", capacity: capacity as never })).rejects.toThrow(
    'addNode: capacity must be quantities by resource, such as { cpu: "4" }, not {"cpu":',
  );
});

const pattern = "must be text that is not empty, or a regular expression, not";
const namePattern = 'must be a name such as "web-1", or a regular expression, not';

test.each<[message: string, selector: object]>([
  [`script: image ${pattern} ""`, { image: "" }],
  [`script: namespace ${namePattern} ""`, { namespace: "" }],
  [`script: name ${namePattern} 5`, { name: 5 }],
  [`script: name ${namePattern} "shop/web"`, { name: "shop/web" }],
  [`script: node ${namePattern} "node 1"`, { node: "node 1" }],
  [`script: container ${namePattern} "Main"`, { container: "Main" }],
  ['script: labels must be an object of texts, not {"a":5}', { labels: { a: 5 } }],
  ['script: annotations must be an object of texts, not "a"', { annotations: "a" }],
])("a selector refuses what matches no pod: %s", async (message, selector) => {
  await using cluster = createCluster({ simulate: true });
  expect(() => cluster.pods.script(selector, running())).toThrow(message);
});

const noLife = "the second argument must be a script, such as running() of kubedouble/scenarios";

test.each<[message: string, life: unknown]>([
  [noLife, undefined],
  [noLife, running],
  [noLife, { name: "running" }],
  [noLife, { name: "crashLoop", exit: { exitCode: 3, reason: "Error", after: 0 } }],
  ['script: unknown option "readyAfte"; did you mean "readyAfter"?', { ...running(), readyAfte: 5 }],
  ['script: readyAfter must be milliseconds, or false, not "2s"', { ...running(), readyAfter: "2s" }],
  ["script: exit: exitCode must be an integer from 0 to 255, not 300", withExit({ exitCode: 300 })],
  ['script: exit: unknown option "code"; known: exitCode, reason, after', withExit({ code: 3 })],
  ["script: exit: the options must be an object, not 3", { ...running(), exit: 3 }],
])("a life that no function of kubedouble/scenarios has made is refused: %s", async (message, life) => {
  await using cluster = createCluster({ simulate: true });
  expect(() => cluster.pods.script({}, life as never)).toThrow(message);
});

function withExit(more: object) {
  const life = crashLoop();
  return { ...life, exit: { ...life.exit, ...more } };
}

test("lives can be combined", async () => {
  await using cluster = createCluster({ simulate: true });
  const life = { ...running({ readyAfter: "2s" }), ...slowTermination(), name: "slow" };
  expect(() => cluster.pods.script({}, life)).not.toThrow();
});

test("a script needs kubelets that play it", async () => {
  await using cluster = createCluster({ simulate: ["workloads"] });
  expect(() => cluster.pods.script({}, running())).toThrow(
    'script needs the part "kubelets" of a simulated cluster',
  );
});

const name = 'must be a name such as "web-1", not';

test.each<[message: string, play: (cluster: Cluster) => unknown]>([
  [`pod ${name} ""`, (cluster) => cluster.pod("")],
  [`pod ${name} "shop/web"`, (cluster) => cluster.pod("shop/web")],
  [`pod: namespace ${name} ""`, (cluster) => cluster.pod("web", { namespace: "" })],
  [`node ${name} ""`, (cluster) => cluster.node("")],
  [`node ${name} "Node 1"`, (cluster) => cluster.node("Node 1")],
  [`log: container ${name} ""`, (cluster) => cluster.pod("web").log("a", { container: "" })],
  ["the server must be the name of a Service", (cluster) => cluster.serviceAt("", "127.0.0.1:80")],
  ["the server must be the name of a Service", (cluster) => cluster.serviceAt("a/b:80", "127.0.0.1:80")],
  ["the server must be the name of a Service", (cluster) => cluster.serviceAt("shop/Web", "127.0.0.1:80")],
  [`imageUnavailable: image ${pattern} ""`, () => imageUnavailable({ image: "" })],
  [`nodeDown: node ${name} "Node 1"`, () => nodeDown({ node: "Node 1" })],
  [`quotaUsedUp: namespace ${name} "Shop"`, () => quotaUsedUp({ namespace: "Shop" })],
  [
    'drainBlocked: labels must be an object of labels and their values, not {"a b":"c"}',
    () => drainBlocked({ labels: { "a b": "c" } }),
  ],
  [
    'podWebhookDown: labels must be an object of labels and their values, not {"a":"b c"}',
    () => podWebhookDown({ labels: { a: "b c" } }),
  ],
])("a name or a label that nothing has is refused: %s", async (message, play) => {
  await using cluster = createCluster({ simulate: true });
  expect(() => play(cluster)).toThrow(message);
});

test.each<[message: string, play: (cluster: Cluster) => Promise<unknown>]>([
  [
    'usage: container must be text that is not empty, not ""',
    (cluster) => cluster.pod("web").usage({ cpu: "1", memory: "1Gi" }, { container: "" }),
  ],
  [
    'custom: name must be text that is not empty, not ""',
    (cluster) => cluster.metrics.custom("hits", "1", { apiVersion: "v1", kind: "Pod", name: "" }),
  ],
  [
    'custom: namespace must be text that is not empty, not ""',
    (cluster) => cluster.metrics.custom("hits", "1", { apiVersion: "v1", kind: "Pod", namespace: "" }),
  ],
  [
    "custom: objects of kind Node have no namespace, so that the option namespace has no effect",
    (cluster) => cluster.metrics.custom("hits", "1", { apiVersion: "v1", kind: "Node", namespace: "shop" }),
  ],
  [
    'external: namespace must be text that is not empty, not ""',
    (cluster) => cluster.metrics.external("hits", "1", { namespace: "" }),
  ],
  [
    'addNode: taints: unknown option "vale"; did you mean "value"?',
    (cluster) =>
      cluster.addNode({
        name: "gpu",
        taints: [{ key: "a", effect: "NoSchedule", vale: "b" } as NodeTaint],
      }),
  ],
])("an option that has no effect is refused: %s", async (message, play) => {
  await using cluster = createCluster({ simulate: true });
  await expect(play(cluster)).rejects.toThrow(message);
});

test.each<[message: string, selection: object]>([
  ['pod: labels must be an object of texts, not {"a":5}', { labels: { a: 5 } }],
  ['pod: labels must be an object of texts, not "app=web"', { labels: "app=web" }],
  ['pod: image must be a regular expression, not "nginx"', { image: "nginx" }],
])("the pods of a handle refuse what matches none: %s", async (message, selection) => {
  await using cluster = createCluster();
  expect(() => cluster.pod(selection)).toThrow(message);
});

test.each([
  ["cpu", { cpu: "-1", memory: "1Gi" }, '"-1"'],
  ["memory", { cpu: "1", memory: "-64Mi" }, '"-64Mi"'],
  ["cpu", { cpu: "1 core", memory: "1Gi" }, '"1 core"'],
  ["memory", { cpu: "1", memory: 64 }, "64"],
])("no pod and no node uses such %s: %j", async (option, usage, given) => {
  await using cluster = createCluster();
  const message = `usage: ${option} must be a quantity such as "250m" or "64Mi" that is not negative, not ${given}`;
  for (const handle of [cluster.pod("web"), cluster.node("node-1")])
    await expect(handle.usage(usage as never)).rejects.toThrow(message);
});
