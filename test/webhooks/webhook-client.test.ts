import { afterAll, beforeAll, expect, test } from "vitest";
import type { Clock } from "../../src/apimachinery/clock.ts";
import { type CallResult, webhookClient } from "../../src/webhooks/webhook-client.ts";
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
  const answer = await client({ spec: {} }, (result) => results.push(result)).then(
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
