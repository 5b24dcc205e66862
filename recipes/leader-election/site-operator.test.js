import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { KubeConfig, Watch } from "@kubernetes/client-node";
import { createCluster, VirtualClock } from "kubedouble";
import { serve } from "kubedouble/node";
import { notReady } from "kubedouble/scenarios";
import { SiteOperator } from "./site-operator.js";

const namespace = "default";
const site = (name, replicas) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace, labels: { site: "yes" } },
  data: { replicas: String(replicas) },
});

let clock;
let cluster;
let server;
let operators;
/** Which operators started and stopped leading, in order. */
let changes;

beforeEach(async () => {
  clock = new VirtualClock("2026-01-01T00:00:00Z");
  cluster = createCluster({ clock, objects: [site("shop", 2)] });
  server = await serve(cluster);
  changes = [];
  operators = ["one", "two"].map(candidate);
  // One after another, so that the first one leads.
  for (const { operator } of operators) await operator.run();
});

afterEach(async () => {
  for (const { operator } of operators) await operator.stop();
  await server.close();
  await cluster.close();
  cluster.faults.check();
});

test("one operator leads and does the work", async () => {
  assert.deepEqual(changes, ["one leads"]);
  await hasReplicas("shop", 2);
});

test("while the leader renews its lease, the other operator waits", async () => {
  await pass(60);
  assert.deepEqual(changes, ["one leads"]);
  const { spec } = await lease();
  assert.equal(spec.holderIdentity, "one");
  assert.equal(spec.renewTime, "2026-01-01T00:01:00.000000Z");
});

test("when the leader is gone, its lease expires and the other operator takes over the work", async () => {
  const [one] = operators.splice(0, 1);
  await one.operator.stop();
  await pass(14);
  assert.deepEqual(changes, ["one leads"]);
  await pass(2);
  assert.deepEqual(changes, ["one leads", "two leads"]);
  await cluster.create(site("blog", 3));
  await hasReplicas("blog", 3);
  assert.equal((await lease()).spec.leaseTransitions, 1);
});

test("a leader that is cut off stops leading before the other operator starts, and then waits", async () => {
  await hasReplicas("shop", 2);
  const cut = cluster.inject(notReady({ user: "operator-one", times: 1_000 }));
  await pass(12);
  assert.deepEqual(changes, ["one leads", "one follows"]);
  await pass(6);
  assert.deepEqual(changes, ["one leads", "one follows", "two leads"]);
  cut.remove();
  await pass(30);
  assert.deepEqual(changes, ["one leads", "one follows", "two leads"]);
  await cluster.create(site("blog", 1));
  await hasReplicas("blog", 1);
  assert.deepEqual(writersOf("deployments"), ["operator-one", "operator-two"]);
});

/** An operator with its own name and credentials. */
function candidate(identity) {
  const kubeConfig = new KubeConfig();
  const token = cluster.token(`operator-${identity}`);
  const certificateAuthorityData = Buffer.from(server.caCertificate).toString("base64");
  kubeConfig.loadFromString(cluster.kubeconfig({ server: server.url, certificateAuthorityData, token }));
  const waiting = [];
  const operator = new SiteOperator(kubeConfig, {
    namespace,
    identity,
    clock,
    changed: (name, does) => changes.push(`${name} ${does}`),
    tried: () => {
      for (const resolve of waiting.splice(0)) resolve();
    },
  });
  return { operator, tried: () => new Promise((resolve) => waiting.push(resolve)) };
}

/** Advances the time, two seconds at a time, and each time waits for the operators that still run. */
async function pass(seconds) {
  for (let passed = 0; passed < seconds; passed += 2) {
    const tried = Promise.all(operators.map((one) => one.tried()));
    await clock.advance("2s");
    await tried;
  }
}

/** The users who wrote, in order. */
function writersOf(resource) {
  const requests = cluster.requests.matching({ verb: ["create", "update"], resource });
  return requests.map(({ user }) => user);
}

function lease() {
  return cluster.get("coordination.k8s.io/v1", "Lease", "site-operator");
}

/** Resolves when the Deployment exists and has this many replicas. */
async function hasReplicas(name, replicas) {
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromString(server.kubeconfig());
  const path = `/apis/apps/v1/namespaces/${namespace}/deployments`;
  const query = { fieldSelector: `metadata.name=${name}` };
  let found = () => {};
  const finding = new Promise((resolve) => {
    found = resolve;
  });
  const onEvent = (_type, { spec }) => spec.replicas === replicas && found();
  const request = await new Watch(kubeConfig).watch(path, query, onEvent, () => {});
  await finding;
  request.abort();
}
