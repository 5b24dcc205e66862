import { subscribe } from "node:diagnostics_channel";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Cluster, createCluster, type KubeObject, VirtualClock } from "../../src/index.ts";
import { startRogueWebhook, startWebhook, type WebhookServer } from "../webhooks/webhook-server.ts";
import { configMap } from "./policy-objects.ts";

let server: WebhookServer;
beforeAll(async () => {
  server = await startWebhook();
});
afterAll(() => server.close());

/** A cluster with webhooks at the server; `more` are further members of the webhook. */
function clusterAt(
  type: "Mutating" | "Validating",
  { url, authority }: WebhookServer,
  more: object = {},
  clock: VirtualClock = new VirtualClock("2026-01-01T00:00:00Z"),
): Cluster {
  const clientConfig = { url: `${url}/check`, caBundle: btoa(authority.certificate) };
  const rules = [{ apiGroups: [""], apiVersions: ["v1"], operations: ["*"], resources: ["configmaps"] }];
  const configuration: KubeObject = {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: `${type}WebhookConfiguration`,
    metadata: { name: "c" },
    webhooks: [
      {
        name: "w.x.io",
        clientConfig,
        rules,
        sideEffects: "None",
        admissionReviewVersions: ["v1"],
        timeoutSeconds: 3,
        ...more,
      },
    ],
  };
  return createCluster({ clock, controllers: [], objects: [configuration] });
}

/** The message that refuses a ConfigMap, or "created"; either way other requests go on. */
async function answerOf(cluster: Cluster): Promise<string> {
  const answer = await cluster.create(configMap("a")).then(
    () => "created",
    (error: Error) => error.message,
  );
  const stored = await cluster.list("v1", "ConfigMap", { namespace: "default" });
  expect(stored.items.filter(({ metadata }) => metadata.name === "a")).toHaveLength(
    answer === "created" ? 1 : 0,
  );
  return answer;
}

const failed = (text: string) =>
  `Internal error occurred: failed calling webhook "w.x.io": failed to call webhook: ${text}`;
const unread = (text: string) =>
  failed(`unexpected error when reading response body. Please retry. Original error: ${text}`);

/** The end of an answer that has the form of a review. */
const longReview = (text: string, length: number) => {
  const { apiVersion, kind, request } = JSON.parse(text);
  const response = { uid: request.uid, allowed: true };
  return `${JSON.stringify({ apiVersion, kind, response }).slice(0, -1)}, "padding": "${"x".repeat(length)}"}`;
};

test.each<readonly [title: string, answer: WebhookServer["answer"], message: string]>([
  [
    "50 MB",
    ({ text }, response) => response.end(longReview(text, 50_000_000)),
    unread("the answer has more than 8388608 bytes"),
  ],
  [
    "the beginning of an answer",
    (_request, response) => {
      response.writeHead(200, { "content-length": 100 }).write("{", () => response.destroy());
    },
    unread("unexpected EOF"),
  ],
  [
    "garbage",
    (_request, response) => response.end("nope"),
    failed(
      "couldn't get version/kind; json parse error: invalid character 'o' in literal null (expecting 'u')",
    ),
  ],
  [
    "nothing",
    (_request, response) => response.end(),
    failed("0-length response with status code: 200 and content type: "),
  ],
  [
    "a failure",
    (_request, response) => response.writeHead(500).end("out of order"),
    failed('an error on the server ("out of order") has prevented the request from succeeding'),
  ],
])("a server that answers %s lets nothing be written", async (_title, answer, message) => {
  server.answer = answer;
  for (const type of ["Mutating", "Validating"] as const) {
    expect(await answerOf(clusterAt(type, server))).toBe(message);
    expect(await answerOf(clusterAt(type, server, { failurePolicy: "Ignore" }))).toBe("created");
  }
});

test("a long answer counts if it is within the limit", async () => {
  server.answer = ({ text }, response) => response.end(longReview(text, 8_000_000));
  expect(await answerOf(clusterAt("Validating", server))).toBe("created");
});

/** The channel on which Node says that a client has the head of an answer. */
const heads = "http.client.response.finish";

test.each<readonly [title: string, begin: WebhookServer["answer"], message: (url: string) => string]>([
  ["nothing", () => {}, (url) => failed(`Post "${url}/check?timeout=3s": context deadline exceeded`)],
  [
    "the beginning of an answer",
    (_request, response) => response.writeHead(200).write("{"),
    () => unread("context deadline exceeded"),
  ],
])("a server that sends %s and hangs is late by the clock of the cluster", async (title, begin, message) => {
  const clock = new VirtualClock("2026-01-01T00:00:00Z");
  const cluster = clusterAt("Validating", server, {}, clock);
  const hangs = new Promise<void>((resolve) => {
    server.answer = (request, response) => {
      if (title === "nothing") resolve();
      else subscribe(heads, () => resolve());
      begin(request, response);
    };
  });
  const answer = cluster.create(configMap("a")).then(
    () => "created",
    (error: Error) => error.message,
  );
  await hangs;
  await cluster.create({ ...configMap("other"), kind: "Secret" });
  await clock.advance("3s");
  expect(await answer).toBe(message(server.url));
  await expect(cluster.get("v1", "ConfigMap", "a")).rejects.toMatchObject({ code: 404 });
});

test("a server whose chain of certificates is broken is not asked", async () => {
  const rogue = await startRogueWebhook();
  const other = await startWebhook();
  const message = (url: string) =>
    failed(
      `Post "${url}/check?timeout=3s": tls: failed to verify certificate: x509: certificate signed by unknown authority`,
    );
  try {
    // Its certificate names the authority that is trusted, and another key has signed it.
    expect(await answerOf(clusterAt("Validating", rogue))).toBe(message(rogue.url));
    const strange = { ...other, authority: server.authority };
    expect(await answerOf(clusterAt("Mutating", strange))).toBe(message(other.url));
    const unnamed = clusterAt("Validating", other, { clientConfig: { url: `${other.url}/check` } });
    expect(await answerOf(unnamed)).toBe(message(other.url));
    expect(await answerOf(clusterAt("Validating", rogue, { failurePolicy: "Ignore" }))).toBe("created");
    expect([...rogue.received, ...other.received]).toEqual([]);
  } finally {
    await rogue.close();
    await other.close();
  }
});
