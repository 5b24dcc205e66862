import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createCluster } from "kubedouble";
import { interceptKubernetes } from "kubedouble/nock";
import nock from "nock";
import { rotateSecret } from "./rotate-secret.js";

const cluster = createCluster();
let interceptor;

before(() => {
  nock.disableNetConnect();
  interceptor = interceptKubernetes(cluster, "https://10.0.0.1:443");
  Object.assign(process.env, {
    KUBERNETES_SERVICE_HOST: "10.0.0.1",
    KUBERNETES_SERVICE_PORT: "443",
    TOKEN: cluster.token("rotator", { groups: ["system:masters"] }),
  });
});

after(async () => {
  interceptor.restore();
  await cluster.close();
});

const passwords = async () => {
  const { data } = await cluster.get("v1", "Secret", "database", { namespace: "default" });
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, Buffer.from(value, "base64").toString()]),
  );
};

test("a missing secret is created, and rotated the next time", async () => {
  assert.equal((await rotateSecret("default", "database", "one")).status, 201);
  assert.deepEqual(await passwords(), { password: "one" });
  assert.equal((await rotateSecret("default", "database", "two")).status, 200);
  assert.deepEqual(await passwords(), { password: "two", previous: "one" });
});

test("a refused request returns a Status", async () => {
  const { status, body } = await rotateSecret("nowhere", "database", "one");
  assert.equal(status, 404);
  assert.equal(body.message, 'namespaces "nowhere" not found');
});
