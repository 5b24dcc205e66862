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
/** Who began and ceased to lead, in order. */
let changes;

beforeEach(async () => {
  clock = new VirtualClock("2026-01-01T00:00:00Z");
  cluster = createCluster({ clock, objects: [site("shop", 2)] });
  server = await serve(cluster);
  changes = [];
  operators = ["one", "two"].map(candidate);
  // In turn, so that it is known who comes first.
  for (const { operator } of operators) await operator.run();
});

afterEach(async () => {
  for (const { operator } of operators) await operator.stop();
  await server.close();
  await cluster.close();
  cluster.faults.check();
});

test("one leads, and does the work", async () => {
  assert.deepEqual(changes, ["one leads"]);
  await hasReplicas("shop", 2);
});

test("for as long as it renews its lease the other waits", async () => {
  await pass(60);
  assert.deepEqual(changes, ["one leads"]);
  const { spec } = await lease();
  assert.equal(spec.holderIdentity, "one");
  assert.equal(spec.renewTime, "2026-01-01T00:01:00.000000Z");
});

test("when it is gone its lease expires, and the other takes over and goes on with the work", async () => {
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

test("when it is cut off it ceases to lead before the other begins, and then waits for its turn", async () => {
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

/** An operator with a name and credentials of its own. */
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
    changed: (who, does) => changes.push(`${who} ${does}`),
    tried: () => {
      for (const resolve of waiting.splice(0)) resolve();
    },
  });
  return { operator, tried: () => new Promise((resolve) => waiting.push(resolve)) };
}

/** Lets the time pass, two seconds at a time, and waits for what the operators that are still there do in them. */
async function pass(seconds) {
  for (let passed = 0; passed < seconds; passed += 2) {
    const tried = Promise.all(operators.map((one) => one.tried()));
    await clock.advance("2s");
    await tried;
  }
}

/** Who has written, in order. */
function writersOf(resource) {
  const requests = cluster.requests.matching({ verb: ["create", "update"], resource });
  return requests.map(({ user }) => user);
}

function lease() {
  return cluster.get("coordination.k8s.io/v1", "Lease", "site-operator");
}

/** Resolves when a Deployment is there and has so many replicas. */
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
