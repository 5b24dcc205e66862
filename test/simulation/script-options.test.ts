import { expect, test } from "vitest";
import { createCluster } from "../../src/index.ts";
import {
  completes,
  crashLoop,
  evicted,
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

test.each<[message: string, selector: object]>([
  [`script: image ${pattern} ""`, { image: "" }],
  [`script: namespace ${pattern} ""`, { namespace: "" }],
  [`script: name ${pattern} 5`, { name: 5 }],
  ['script: labels must be an object of texts, not {"a":5}', { labels: { a: 5 } }],
  ['script: annotations must be an object of texts, not "a"', { annotations: "a" }],
])("a selector refuses what matches no pod: %s", async (message, selector) => {
  await using cluster = createCluster();
  expect(() => cluster.pods.script(selector, running())).toThrow(message);
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
