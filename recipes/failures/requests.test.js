// What breaks lists and writes, and what the generated API classes of @kubernetes/client-node make of it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { conflict, continueExpired, throttle, tooLargeResourceVersion } from "kubedouble/scenarios";
import { namespace, surroundings } from "./surroundings.js";

test("4. a list that is ahead of the server is refused with the cause, once", async (t) => {
  const { cluster, api } = await surroundings(t);
  cluster.inject(tooLargeResourceVersion({ verb: "list" }));
  const { code, body } = await refusal(api.listNamespacedConfigMap({ namespace }));
  assert.equal(code, 504);
  assert.equal(statusOf(body).details.causes[0].reason, "ResourceVersionTooLarge");
  assert.equal((await api.listNamespacedConfigMap({ namespace })).items.length, 2);
});

test("5. a list whose token expires goes on where it was with the token of the refusal", async (t) => {
  const { cluster, api } = await surroundings(t);
  cluster.inject(continueExpired());
  const first = await api.listNamespacedConfigMap({ namespace, limit: 1 });
  const second = { namespace, limit: 1, _continue: first.metadata._continue };
  const { code, body } = await refusal(api.listNamespacedConfigMap(second));
  assert.equal(code, 410);
  const rest = await api.listNamespacedConfigMap({ ...second, _continue: statusOf(body).metadata.continue });
  assert.deepEqual(namesOf(first, rest), ["a", "b"]);
});

test("5. without such a token there is nothing but to begin again", async (t) => {
  const { cluster, api } = await surroundings(t);
  cluster.inject(continueExpired({ inconsistent: false }));
  const first = await api.listNamespacedConfigMap({ namespace, limit: 1 });
  const second = { namespace, limit: 1, _continue: first.metadata._continue };
  const { code, body } = await refusal(api.listNamespacedConfigMap(second));
  assert.equal(code, 410);
  assert.equal(statusOf(body).metadata.continue, undefined);
});

test("7. a request that is throttled is not tried again; the exception says how long to wait", async (t) => {
  const { cluster, api } = await surroundings(t);
  cluster.inject(throttle({ verb: "list", retryAfter: 3 }));
  const { code, headers } = await refusal(api.listNamespacedConfigMap({ namespace }));
  assert.equal(code, 429);
  assert.equal(headers["retry-after"], "3");
  assert.equal(cluster.requests.all.length, 1);
});

test("10. an update that loses to another writer is refused for as long as it is not read again", async (t) => {
  const { cluster, api } = await surroundings(t);
  cluster.inject(conflict({ resource: "configmaps" }));
  const body = await api.readNamespacedConfigMap({ name: "a", namespace });
  body.data = { color: "red" };
  for (let attempt = 0; attempt < 3; attempt++) {
    const { code } = await refusal(api.replaceNamespacedConfigMap({ name: "a", namespace, body }));
    assert.equal(code, 409);
  }
});

test("10. reading again before every attempt gets through, and keeps what the other writer did", async (t) => {
  const { cluster, api } = await surroundings(t);
  cluster.inject(conflict({ resource: "configmaps", times: 2 }));
  let attempts = 0;
  for (let isDone = false; !isDone; attempts++) {
    const body = await api.readNamespacedConfigMap({ name: "a", namespace });
    body.data = { color: "red" };
    const replaced = api.replaceNamespacedConfigMap({ name: "a", namespace, body });
    isDone = await replaced.then(
      () => true,
      (error) => {
        if (error.code !== 409) throw error;
        return false;
      },
    );
  }
  assert.equal(attempts, 3);
  const { data, metadata } = await cluster.get("v1", "ConfigMap", "a");
  assert.deepEqual(data, { color: "red" });
  assert.ok("other-writer/saw" in metadata.annotations);
});

/** What a request fails with. */
async function refusal(request) {
  const error = await request.then(
    () => undefined,
    (reason) => reason,
  );
  assert.ok(error, "it should have been refused");
  return error;
}

/** The library parses the body only for codes that its specification names. */
function statusOf(body) {
  return typeof body === "string" ? JSON.parse(body) : body;
}

function namesOf(...lists) {
  return lists.flatMap(({ items }) => items.map(({ metadata }) => metadata.name));
}
