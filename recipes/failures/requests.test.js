// Failures that break lists and writes, and how the generated API classes of @kubernetes/client-node react.
import assert from "node:assert/strict";
import { test } from "node:test";
import { conflict, continueExpired, throttle, tooLargeResourceVersion } from "kubedouble/scenarios";
import { namespace, surroundings } from "./surroundings.js";

test("4. a list that is ahead of the server fails once, with the cause", async (t) => {
  const { cluster, api } = await surroundings(t);
  cluster.inject(tooLargeResourceVersion({ verb: "list" }));
  const { code, body } = await refusal(api.listNamespacedConfigMap({ namespace }));
  assert.equal(code, 504);
  assert.equal(statusOf(body).details.causes[0].reason, "ResourceVersionTooLarge");
  assert.equal((await api.listNamespacedConfigMap({ namespace })).items.length, 2);
});

test("5. a list whose continue token expires resumes with the token in the error", async (t) => {
  const { cluster, api } = await surroundings(t);
  cluster.inject(continueExpired());
  const first = await api.listNamespacedConfigMap({ namespace, limit: 1 });
  const second = { namespace, limit: 1, _continue: first.metadata._continue };
  const { code, body } = await refusal(api.listNamespacedConfigMap(second));
  assert.equal(code, 410);
  const rest = await api.listNamespacedConfigMap({ ...second, _continue: statusOf(body).metadata.continue });
  assert.deepEqual(namesOf(first, rest), ["a", "b"]);
});

test("5. without such a token the client must restart the list", async (t) => {
  const { cluster, api } = await surroundings(t);
  cluster.inject(continueExpired({ inconsistent: false }));
  const first = await api.listNamespacedConfigMap({ namespace, limit: 1 });
  const second = { namespace, limit: 1, _continue: first.metadata._continue };
  const { code, body } = await refusal(api.listNamespacedConfigMap(second));
  assert.equal(code, 410);
  assert.equal(statusOf(body).metadata.continue, undefined);
});

test("7. a throttled request is not retried; the exception says how long to wait", async (t) => {
  const { cluster, api } = await surroundings(t);
  cluster.inject(throttle({ verb: "list", retryAfter: 3 }));
  const { code, headers } = await refusal(api.listNamespacedConfigMap({ namespace }));
  assert.equal(code, 429);
  assert.equal(headers["retry-after"], "3");
  assert.equal(cluster.requests.all.length, 1);
});

test("10. an update that conflicts with another writer fails until the object is read again", async (t) => {
  const { cluster, api } = await surroundings(t);
  cluster.inject(conflict({ resource: "configmaps" }));
  const body = await api.readNamespacedConfigMap({ name: "a", namespace });
  body.data = { color: "red" };
  for (let attempt = 0; attempt < 3; attempt++) {
    const { code } = await refusal(api.replaceNamespacedConfigMap({ name: "a", namespace, body }));
    assert.equal(code, 409);
  }
});

test("10. an update that reads the object before every attempt succeeds and keeps the other writer's changes", async (t) => {
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

/** The error of a failed request. */
async function refusal(request) {
  const error = await request.then(
    () => undefined,
    (reason) => reason,
  );
  assert.ok(error, "the request should have failed");
  return error;
}

/** The library parses the body only for status codes in its specification. */
function statusOf(body) {
  return typeof body === "string" ? JSON.parse(body) : body;
}

function namesOf(...lists) {
  return lists.flatMap(({ items }) => items.map(({ metadata }) => metadata.name));
}
