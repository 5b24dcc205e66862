import { describe, expect, test } from "vitest";
import { askingForPods, podsPath as path } from "../../registry/pods.ts";
import type { SendRequest, TestResponse } from "../../registry/test-client.ts";

const budgets = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";
const blocked = "Cannot evict pod as it would violate the pod's disruption budget.";
const ready = [{ type: "Ready", status: "True" }];

/** A pod on a node with this status. */
async function made(status: object = { phase: "Running", conditions: ready }): Promise<SendRequest> {
  const send = askingForPods();
  const spec = { containers: [{ name: "c", image: "i" }], nodeName: "n" };
  await send("POST", path, { metadata: { name: "p", labels: { app: "a" } }, spec });
  await send("PATCH", `${path}/p/status`, { status });
  return send;
}

async function guard(send: SendRequest, status: object, spec: object = {}, name = "b"): Promise<void> {
  const selector = { matchLabels: { app: "a" } };
  await send("POST", budgets, { metadata: { name }, spec: { minAvailable: 1, selector, ...spec } });
  const complete = {
    currentHealthy: 1,
    desiredHealthy: 1,
    expectedPods: 1,
    disruptionsAllowed: 0,
    ...status,
  };
  await send("PATCH", `${budgets}/${name}/status`, { status: complete });
}

function evict(send: SendRequest, body: object = {}, query = ""): Promise<TestResponse> {
  const eviction = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "p" }, ...body };
  return send("POST", `${path}/p/eviction${query}`, eviction);
}

async function isGoing(send: SendRequest): Promise<boolean> {
  const { code, object } = await send("GET", `${path}/p`);
  return code === 404 || object.metadata.deletionTimestamp !== undefined;
}

describe("an eviction", () => {
  test("deletes the pod, and sets a condition with the reason", async () => {
    const send = await made();
    const { code, object } = await evict(send);
    expect(code).toBe(201);
    expect(object).toEqual({ kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 });
    const { object: pod } = await send("GET", `${path}/p`);
    expect(pod.metadata.deletionGracePeriodSeconds).toBe(30);
    expect(pod.status.conditions.at(-1)).toMatchObject({
      type: "DisruptionTarget",
      status: "True",
      reason: "EvictionByEvictionAPI",
      message: "Eviction API: evicting",
    });
  });

  test.each<[string, object]>([
    ["an older version", { apiVersion: "policy/v1beta1" }],
    ["no version", { apiVersion: undefined, kind: undefined }],
  ])("may have %s", async (_title, body) => {
    const send = await made();
    expect((await evict(send, body)).code).toBe(201);
    expect(await isGoing(send)).toBe(true);
  });

  test("uses its grace period for the pod", async () => {
    const send = await made();
    await evict(send, { deleteOptions: { gracePeriodSeconds: 3 } });
    expect((await send("GET", `${path}/p`)).object.metadata.deletionGracePeriodSeconds).toBe(3);
  });

  test.each<[string, object, string]>([
    ["of its options", { deleteOptions: { dryRun: ["All"] } }, ""],
    ["of the query", {}, "?dryRun=All"],
  ])("does nothing in a dry run set in %s", async (_title, body, query) => {
    const send = await made();
    expect((await evict(send, body, query)).code).toBe(201);
    expect(await isGoing(send)).toBe(false);
  });

  test.each<[string, object, unknown]>([
    ["another name", { metadata: { name: "z" } }, "name in URL does not match name in Eviction object"],
    ["no name", { metadata: {} }, "name in URL does not match name in Eviction object"],
    ["an empty name", { metadata: { name: "" } }, "name in URL does not match name in Eviction object"],
    ["no metadata", { metadata: undefined }, "name in URL does not match name in Eviction object"],
    [
      "another kind",
      { apiVersion: "v1", kind: "Pod" },
      'Pod in version "v1" cannot be handled as a Eviction: converting (v1.Pod) to (policy.Eviction): unknown conversion',
    ],
    [
      "another pod of the name",
      { deleteOptions: { preconditions: { uid: "other" } } },
      expect.stringMatching(
        /the UID in the precondition \(other\) does not match the UID in record \(.*\)\. The object might have been deleted and then recreated$/,
      ),
    ],
    [
      "another version of the pod",
      { deleteOptions: { preconditions: { resourceVersion: "1" } } },
      expect.stringMatching(
        /the ResourceVersion in the precondition \(1\) does not match the ResourceVersion in record \(\d+\)\. The object might have been modified$/,
      ),
    ],
  ])("is refused for %s", async (_title, body, message) => {
    const send = await made();
    expect((await evict(send, body)).findings).toEqual([message]);
    expect(await isGoing(send)).toBe(false);
  });
});

describe("a budget", () => {
  test("allows an eviction, and counts it", async () => {
    const send = await made();
    await guard(send, { observedGeneration: 1, disruptionsAllowed: 1, currentHealthy: 2 });
    expect((await evict(send)).code).toBe(201);
    const { status } = (await send("GET", `${budgets}/b`)).object;
    expect(status).toMatchObject({ disruptionsAllowed: 0, disruptedPods: { p: expect.any(String) } });
    expect(status.conditions).toMatchObject([
      { type: "DisruptionAllowed", status: "False", observedGeneration: 1, reason: "InsufficientPods" },
    ]);
  });

  test("is updated by the server, with its own field manager", async () => {
    const send = await made();
    await guard(send, { observedGeneration: 1, disruptionsAllowed: 2 });
    await evict(send);
    const { managedFields } = (await send("GET", `${budgets}/b`)).object.metadata;
    const own = (entry: { manager: string }) => entry.manager === "kube-apiserver";
    expect(managedFields.filter(own)).toMatchObject([
      {
        operation: "Update",
        apiVersion: "policy/v1",
        fieldsV1: { "f:status": { "f:disruptedPods": { "f:p": {} }, "f:disruptionsAllowed": {} } },
        subresource: "status",
      },
    ]);
  });

  test("is not changed by a dry run", async () => {
    const send = await made();
    await guard(send, { observedGeneration: 1, disruptionsAllowed: 1 });
    const before = (await send("GET", `${budgets}/b`)).object;
    expect((await evict(send, {}, "?dryRun=All")).code).toBe(201);
    expect((await send("GET", `${budgets}/b`)).object).toEqual(before);
  });

  test("is restored after a refused eviction", async () => {
    const send = await made();
    await guard(send, { observedGeneration: 1, disruptionsAllowed: 1 });
    const { status } = (await send("GET", `${budgets}/b`)).object;
    const { code } = await evict(send, { deleteOptions: { preconditions: { uid: "other" } } });
    expect(code).toBe(409);
    expect((await send("GET", `${budgets}/b`)).object.status).toEqual(status);
    expect((await evict(send)).code).toBe(201);
  });

  test.each<[string, object, readonly string[], number | undefined]>([
    [
      "that allows no more disruptions",
      { observedGeneration: 1 },
      ["The disruption budget b needs 1 healthy pods and has 1 currently"],
      undefined,
    ],
    [
      "that the controller has not observed",
      { observedGeneration: 0, disruptionsAllowed: 1 },
      ["The disruption budget b is still being processed by the server."],
      10,
    ],
  ])("%s forbids an eviction", async (_title, status, messages, seconds) => {
    const send = await made();
    await guard(send, status);
    const { code, object } = await evict(send);
    expect(code).toBe(429);
    expect(object).toMatchObject({ message: blocked, reason: "TooManyRequests" });
    expect(object.details.causes).toEqual(
      messages.map((message) => ({ reason: "DisruptionBudget", message })),
    );
    expect(object.details.retryAfterSeconds).toBe(seconds);
    expect(await isGoing(send)).toBe(false);
  });

  test("with too many disrupted pods forbids an eviction", async () => {
    const send = await made();
    const names = Array.from({ length: 2001 }, (_, i) => [`p${i}`, "2026-01-01T00:00:00Z"]);
    const disruptedPods = Object.fromEntries(names);
    await guard(send, { observedGeneration: 1, disruptionsAllowed: 1, disruptedPods });
    const { code, findings } = await evict(send);
    expect(code).toBe(403);
    expect(findings).toEqual([
      'poddisruptionbudget.policy "b" is forbidden: DisruptedPods map too big - too many evictions not confirmed by PDB controller',
    ]);
  });

  test("for the same pod as another one is a server error", async () => {
    const send = await made();
    await guard(send, { observedGeneration: 1, disruptionsAllowed: 1 });
    await guard(send, { observedGeneration: 1, disruptionsAllowed: 1 }, {}, "c");
    const { code, findings } = await evict(send);
    expect(code).toBe(500);
    expect(findings).toEqual([
      "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.",
    ]);
  });

  test.each<[string, object]>([
    ["has succeeded", { phase: "Succeeded" }],
    ["has failed", { phase: "Failed" }],
    ["has not begun", { phase: "Pending" }],
  ])("does not guard a pod that %s", async (_title, status) => {
    const send = await made(status);
    await guard(send, { observedGeneration: 1 });
    expect((await evict(send)).code).toBe(201);
    expect(await isGoing(send)).toBe(true);
  });

  test.each<[string, object, object, number]>([
    ["guards a pod that is not ready when others are missing", { currentHealthy: 0 }, {}, 429],
    ["allows the eviction of a pod that is not ready if enough others are", { currentHealthy: 1 }, {}, 201],
    [
      "can always allow the eviction of a pod that is not ready",
      { currentHealthy: 0 },
      { unhealthyPodEvictionPolicy: "AlwaysAllow" },
      201,
    ],
  ])("%s", async (_title, status, spec, code) => {
    const send = await made({ phase: "Running" });
    await guard(send, { observedGeneration: 1, ...status }, spec);
    expect((await evict(send)).code).toBe(code);
    expect((await send("GET", `${budgets}/b`)).object.status.disruptedPods).toBeUndefined();
  });
});
