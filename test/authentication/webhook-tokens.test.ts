import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Cluster, type ClusterOptions, createCluster, VirtualClock } from "../../src/index.ts";
import { createAuthority } from "../../src/transports/node/certificates.ts";
import {
  startRogueWebhook,
  startWebhook,
  type WebhookServer,
  withStatus,
} from "../webhooks/webhook-server.ts";

let webhook: WebhookServer;
beforeAll(async () => {
  webhook = await startWebhook();
});
afterAll(() => webhook.close());

/** A review of a token by a cluster with these options. */
async function review(cluster: Cluster, token: string) {
  const { status } = await cluster.create({
    kind: "TokenReview",
    apiVersion: "authentication.k8s.io/v1",
    spec: { token },
  });
  return status as { authenticated?: boolean; user: { username?: string }; error?: string };
}

/** Runs with a cluster whose tokens the webhook authenticates. */
async function withCluster<T>(options: ClusterOptions, run: (cluster: Cluster) => Promise<T>): Promise<T> {
  const cluster = createCluster({
    clock: new VirtualClock("2026-01-01T00:00:00Z"),
    authenticationTokenWebhookCacheTtl: "0s",
    ...options,
  });
  try {
    return await run(cluster);
  } finally {
    await cluster.close();
  }
}

const alice = { authenticated: true, user: { username: "alice", groups: ["dev"] } };

test("a token that a webhook knows authenticates; one that it does not know is refused", async () => {
  const authenticate = ({ ...sent }) => ({
    ...sent,
    status: sent["spec"].token === "right" ? alice : { authenticated: false },
  });
  await withCluster({ authenticationTokenWebhookConfig: authenticate }, async (cluster) => {
    const whoIs = (token: string) =>
      cluster.fetch("https://cluster.test/apis/authentication.k8s.io/v1/selfsubjectreviews", {
        method: "POST",
        headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
        body: JSON.stringify({ kind: "SelfSubjectReview", apiVersion: "authentication.k8s.io/v1" }),
      });
    // The body is that of our own request.
    const right = (await (await whoIs("right")).json()) as { status: { userInfo: object } };
    expect(right.status.userInfo).toEqual({ username: "alice", groups: ["dev", "system:authenticated"] });
    expect((await whoIs("wrong")).status).toBe(401);
    expect(await review(cluster, "wrong")).toEqual({ user: {}, error: "invalid bearer token" });
  });
});

describe("a webhook at an address", () => {
  test.each([
    ["v1beta1", {}],
    ["v1", { authenticationTokenWebhookVersion: "v1" }],
  ] as const)("receives a review of %s, byte for byte", async (version, options) => {
    webhook.answer = withStatus(alice);
    const config = webhook.kubeconfig({ path: "/token/?a=b", user: { token: "s3cret" } });
    const status = await withCluster({ ...options, authenticationTokenWebhookConfig: config }, (cluster) =>
      review(cluster, "t<1>"),
    );
    expect(status).toMatchObject({ authenticated: true, user: { username: "alice" } });
    const { method, path, headers, text } = webhook.received.at(-1) ?? expect.fail();
    expect([method, path]).toEqual(["POST", "/token/?a=b&timeout=10s"]);
    expect(headers).toMatchObject({
      accept: "application/json, */*",
      "content-type": "application/json",
      authorization: "Bearer s3cret",
    });
    expect(text).toBe(
      `{"kind":"TokenReview","apiVersion":"authentication.k8s.io/${version}","metadata":{"creationTimestamp":null},"spec":{"token":"t\\u003c1\\u003e","audiences":["https://kubernetes.default.svc.cluster.local"]},"status":{"user":{}}}\n`,
    );
  });

  test("sees the client certificate, or the password, of its kubeconfig", async () => {
    webhook.answer = withStatus(alice);
    const { certificate, key } = createAuthority().issue({ commonName: "api-server", usage: "client" });
    const user = { "client-certificate-data": btoa(certificate), "client-key-data": btoa(key) };
    const withCertificate = webhook.kubeconfig({ user });
    await withCluster({ authenticationTokenWebhookConfig: withCertificate }, (cluster) =>
      review(cluster, "t"),
    );
    expect(webhook.received.at(-1)?.client).toBe("api-server");
    const withPassword = webhook.kubeconfig({ user: { username: "u", password: "pä" } });
    await withCluster({ authenticationTokenWebhookConfig: withPassword }, (cluster) => review(cluster, "t"));
    expect(webhook.received.at(-1)?.headers.authorization).toBe(
      `Basic ${Buffer.from("u:pä").toString("base64")}`,
    );
  });

  const rejected = (text: string) => ({ user: {}, error: expect.stringContaining(text) });

  test.each<[string, WebhookServer["answer"], string]>([
    ["garbage", (_request, response) => response.end("nope"), "invalid character 'o' in literal null"],
    [
      "nothing",
      (_request, response) => response.end(),
      "0-length response with status code: 200 and content type: ",
    ],
    [
      "another version",
      withStatus(alice, { apiVersion: "authentication.k8s.io/v1" }),
      "converting (v1.TokenReview) to (v1beta1.TokenReview): unknown conversion",
    ],
    [
      "a redirect",
      (_request, response) => response.writeHead(307, { Location: "https://127.0.0.1:1/elsewhere" }).end(),
      "the server responded with the status code 307 but did not return more information",
    ],
    [
      "401",
      (_request, response) => response.writeHead(401).end(),
      "the server has asked for the client to provide",
    ],
    [
      "a Status",
      (_request, response) => response.writeHead(403).end('{"kind":"Status","message":"not you"}'),
      "not you",
    ],
    ["the end of the connection", (_request, response) => response.destroy(), "EOF"],
    [
      "50 MB",
      (_request, response) => response.end(Buffer.alloc(50_000_000, " ")),
      "the answer has more than 8388608 bytes",
    ],
  ])(
    "that answers %s authenticates no token, and the next answer counts",
    async (_title, answer, message) => {
      await withCluster({ authenticationTokenWebhookConfig: webhook.kubeconfig() }, async (cluster) => {
        webhook.answer = answer;
        expect(await review(cluster, "t")).toEqual(rejected(message));
        webhook.answer = withStatus(alice);
        expect(await review(cluster, "t")).toMatchObject({ authenticated: true });
      });
    },
  );

  test("that hangs fails after ten seconds of the cluster's clock", async () => {
    let called = () => {};
    const call = new Promise<void>((resolve) => {
      called = resolve;
    });
    webhook.answer = () => called();
    await withCluster({ authenticationTokenWebhookConfig: webhook.kubeconfig() }, async (cluster) => {
      await cluster.settle();
      const answer = review(cluster, "t");
      await call;
      await cluster.clock.advance("10s");
      expect(await answer).toEqual(
        rejected('?timeout=10s": context deadline exceeded (Client.Timeout exceeded while awaiting headers)'),
      );
    });
  });

  test("of a rogue authority with the same name is not trusted", async () => {
    const rogue = await startRogueWebhook();
    await withCluster({ authenticationTokenWebhookConfig: rogue.kubeconfig() }, async (cluster) => {
      expect(await review(cluster, "t")).toEqual(
        rejected("tls: failed to verify certificate: x509: certificate signed by unknown authority"),
      );
    });
    expect(rogue.received).toEqual([]);
    await rogue.close();
  });

  test.each([
    [[], "cannot validate certificate for 127.0.0.1 because it doesn't contain any IP SANs"],
    [["localhost"], "cannot validate certificate for 127.0.0.1 because it doesn't contain any IP SANs"],
    [["127.0.0.2"], "certificate is valid for 127.0.0.2, not 127.0.0.1"],
  ])("with a certificate for %j is not trusted", async (hosts, problem) => {
    const other = await startWebhook(hosts);
    await withCluster({ authenticationTokenWebhookConfig: other.kubeconfig() }, async (cluster) => {
      expect(await review(cluster, "t")).toEqual(
        rejected(`tls: failed to verify certificate: x509: ${problem}`),
      );
    });
    expect(other.received).toEqual([]);
    await other.close();
  });

  test("with a certificate that has the host only as its common name is not trusted", async () => {
    const other = await startWebhook([]);
    const cluster = { "tls-server-name": "webhook" };
    await withCluster({ authenticationTokenWebhookConfig: other.kubeconfig({ cluster }) }, async (asking) => {
      expect(await review(asking, "t")).toEqual(
        rejected(
          "tls: failed to verify certificate: x509: certificate relies on legacy Common Name field, use SANs instead",
        ),
      );
    });
    await other.close();
  });

  test("that is not there is an error", async () => {
    const gone = await startWebhook();
    await gone.close();
    await withCluster({ authenticationTokenWebhookConfig: gone.kubeconfig() }, async (cluster) => {
      expect(await review(cluster, "t")).toEqual(rejected("connect: connection refused"));
    });
  });
});

test("neither a failing webhook nor a hanging one concerns the tokens that the cluster knows", async () => {
  const hangs = () => new Promise<never>(() => {});
  await withCluster(
    { authenticationTokenWebhookConfig: hangs, authorizationMode: "RBAC" },
    async (cluster) => {
      expect(await cluster.list("v1", "Pod")).toMatchObject({ items: [] });
      const service = await cluster.fetch("https://cluster.test/version");
      expect(service.status).toBe(200);
    },
  );
});

const lines = (...text: readonly string[]) => text.join("\n");
const complete = (server: string, user = "{}") =>
  lines(
    "current-context: x",
    "contexts: [{name: x, context: {cluster: c, user: u}}]",
    "clusters:",
    "- name: c",
    "  cluster:",
    `    server: ${server}`,
    "users:",
    "- name: u",
    `  user: ${user}`,
  );

test.each([
  ["", "line 1: invalid configuration: no configuration has been provided, try setting KUBERNETES_MASTER"],
  ["a: b: c", "yaml: mapping values are not allowed in this context"],
  ["clusters:\n- name: [", "yaml: line 2"],
  ["current-context: x", "line 1: invalid configuration: context was not found for specified context: x"],
  [
    lines("current-context: x", "contexts:", "- name: x", "  context:", "    cluster: gone"),
    'line 5: invalid configuration: cluster "gone" was not found for context "x"',
  ],
  [complete('""'), 'invalid configuration: no server found for cluster "c"'],
  [
    complete("nowhere"),
    'line 6: invalid configuration: the server of cluster "c" must be an http or https URL: nowhere',
  ],
  [complete("file:///etc/passwd"), "line 6: invalid configuration: the server of cluster"],
  [
    complete("https://a", "{client-certificate: /nope}"),
    "line 9: invalid configuration: unable to read client-cert /nope for u due to",
  ],
  [
    complete("https://a", "{client-key-data: '%'}"),
    "line 9: invalid configuration: client-key-data: illegal base64 data",
  ],
  [
    complete("https://a", "{exec: {command: /bin/nope}}"),
    "line 9: invalid configuration: exec is not supported here",
  ],
  [
    complete("https://a", "{token: a, username: b}"),
    "more than one authentication method found for u; found [token basicAuth], only one is allowed",
  ],
])("a file that cannot be used ends the start and names the line: %j", async (config, message) => {
  const cluster = createCluster({ authenticationTokenWebhookConfig: config });
  await expect(cluster.settle()).rejects.toThrow(message);
  await expect(cluster.fetch("https://cluster.test/version")).rejects.toThrow(
    "createCluster: authenticationTokenWebhookConfig: ",
  );
  await cluster.close();
});

test("options of a webhook need the webhook", () => {
  expect(() => createCluster({ authenticationTokenWebhookVersion: "v1" })).toThrow(
    "authenticationTokenWebhookVersion has no effect without",
  );
});
