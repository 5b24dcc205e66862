import { once } from "node:events";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Clock } from "../../src/apimachinery/clock.ts";
import { VirtualClock } from "../../src/index.ts";
import { type CallResult, webhookClient } from "../../src/webhooks/webhook-client.ts";
import type { WebhookTarget } from "../../src/webhooks/webhook-target.ts";
import { startWebhook, type WebhookServer, withStatus } from "./webhook-server.ts";

let webhook: WebhookServer;
beforeAll(async () => {
  webhook = await startWebhook();
});
afterAll(() => webhook.close());

const kind = { group: "authorization.k8s.io", version: "v1", kind: "SubjectAccessReview" };
const timeoutMilliseconds = 30_000;

/** A clock on which nothing is ever late, and whose pauses end at once. */
function pausing(): { readonly clock: Clock; readonly pauses: number[] } {
  const pauses: number[] = [];
  const clock: Clock = {
    now: () => 0,
    after: (milliseconds, callback) => {
      if (milliseconds < timeoutMilliseconds) {
        pauses.push(milliseconds);
        queueMicrotask(callback);
      }
      return { cancel() {} };
    },
  };
  return { clock, pauses };
}

/** Calls the webhook, which answers the first requests with these statuses, and then well. */
async function call(...statuses: readonly (readonly [status: number, headers?: Record<string, string>])[]) {
  const { clock, pauses } = pausing();
  const left = [...statuses];
  webhook.answer = (request, response) => {
    const [status, headers] = left.shift() ?? [200];
    if (status === 200) withStatus({ allowed: true })(request, response);
    else response.writeHead(status, headers).end("broken\n");
  };
  const results: CallResult[] = [];
  const client = webhookClient({
    target: webhook.kubeconfig(),
    title: "t",
    kind,
    clock,
    timeoutMilliseconds,
  });
  const answer = await client({ spec: {} }, { observe: (result) => results.push(result) }).then(
    ({ status }) => status,
    (error: Error) => error.message,
  );
  return { answer, pauses, results, left: left.length };
}

test("a webhook that fails inside is asked again, with pauses that grow", async () => {
  expect(await call([500], [502], [429], [504])).toEqual({
    answer: { allowed: true },
    pauses: [500, 750, 1125, 1687.5],
    results: ["error", "error", "error", "timeout", "success"],
    left: 0,
  });
});

test("five calls are the most", async () => {
  expect(await call([500], [500], [500], [500], [500], [500])).toMatchObject({
    answer: 'an error on the server ("broken") has prevented the request from succeeding',
    left: 1,
  });
});

test.each([
  [400, "the server responded with the status code 400 but did not return more information"],
  [401, "the server has asked for the client to provide credentials"],
  [403, "broken"],
  [404, "the server could not find the requested resource"],
  [409, "the server reported a conflict"],
  [422, "the server rejected our request due to an error in our request"],
  [503, "the server is currently unable to handle the request"],
])("after %i, it is not asked again", async (status, message) => {
  expect(await call([status])).toEqual({ answer: message, pauses: [], results: ["error"], left: 0 });
});

test("after 503 with Retry-After, it is asked again", async () => {
  expect(await call([503, { "Retry-After": "1" }])).toMatchObject({
    answer: { allowed: true },
    pauses: [500],
  });
});

/** Calls a webhook, and leaves when it is called. */
async function leave(webhookOf: (called: () => void) => WebhookTarget) {
  const leaving = new AbortController();
  const results: CallResult[] = [];
  const client = webhookClient({
    target: webhookOf(() => leaving.abort()),
    title: "t",
    kind,
    clock: new VirtualClock("2026-01-01T00:00:00Z"),
    timeoutMilliseconds,
  });
  const observe = (result: CallResult) => results.push(result);
  const message = await client({ spec: {} }, { observe, signal: leaving.signal }).then(
    () => expect.fail("it is answered"),
    (error: Error) => error.message,
  );
  return { message, results };
}

const never = new Promise<never>(() => {});

test("a call whose answer is no longer needed ends, and so does its connection", async () => {
  let closed: Promise<unknown> = never;
  const left = leave((called) => {
    webhook.answer = (_request, response) => {
      closed = once(response, "close");
      called();
    };
    return webhook.kubeconfig();
  });
  expect(await left).toEqual({
    message: expect.stringMatching(/^Post "https:.*\?timeout=30s": context canceled$/),
    results: ["canceled"],
  });
  await closed;
});

test("a function whose answer is no longer needed is not waited for", async () => {
  const left = leave((called) => () => {
    called();
    return never;
  });
  expect(await left).toEqual({ message: "context canceled", results: ["canceled"] });
});

test.each(["before", "during"])(
  "no call follows if the answer is no longer needed %s a pause",
  async (when) => {
    const { clock, pauses } = pausing();
    const leaving = new AbortController();
    const results: CallResult[] = [];
    const observe = (result: CallResult) => {
      results.push(result);
      if (when === "before") leaving.abort();
    };
    const waiting: Clock = {
      now: clock.now,
      after: (milliseconds, callback) => {
        if (when === "during" && milliseconds < timeoutMilliseconds) queueMicrotask(() => leaving.abort());
        return clock.after(milliseconds, () => (milliseconds < timeoutMilliseconds ? undefined : callback()));
      },
    };
    webhook.answer = (_request, response) => response.writeHead(500).end("broken");
    const target = webhook.kubeconfig();
    const client = webhookClient({ target, title: "t", kind, clock: waiting, timeoutMilliseconds });
    await expect(client({ spec: {} }, { observe, signal: leaving.signal })).rejects.toThrow("broken");
    expect([results, pauses]).toEqual([["error"], [500]]);
  },
);
