import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createAuthority } from "../../src/transports/node/certificates.ts";
import { startWebhook, type WebhookServer } from "../webhooks/webhook-server.ts";
import { ask, run, serving } from "./command.ts";

const directory = mkdtempSync(join(tmpdir(), "kubedouble-test-"));
const file = (name: string, text: string): string => {
  writeFileSync(join(directory, name), text);
  return join(directory, name);
};

let webhook: WebhookServer;
beforeAll(async () => {
  webhook = await startWebhook();
});
afterAll(async () => {
  await webhook.close();
  rmSync(directory, { recursive: true, force: true });
});

const configuration = (...authorizers: readonly object[]) =>
  JSON.stringify({
    apiVersion: "apiserver.config.k8s.io/v1",
    kind: "AuthorizationConfiguration",
    authorizers,
  });

test("serve calls the webhooks of its files, and reads the configuration again when it changes", async () => {
  file("ca.pem", webhook.authority.certificate);
  const members = { "certificate-authority": "ca.pem", "certificate-authority-data": undefined };
  const kubeconfig = file("hook.json", webhook.kubeconfig({ cluster: members }));
  const hook = {
    type: "Webhook",
    name: "hook",
    webhook: {
      timeout: "30s",
      subjectAccessReviewVersion: "v1",
      failurePolicy: "Deny",
      connectionInfo: { type: "KubeConfigFile", kubeConfigFile: kubeconfig },
    },
  };
  const config = file("authorization.json", configuration(hook));
  // The token is the name of the user, who may do everything but read secrets.
  webhook.answer = ({ text }, response) => {
    const review = JSON.parse(text);
    const { token, resourceAttributes } = review.spec;
    const status =
      review.kind === "TokenReview"
        ? { authenticated: true, user: { username: token } }
        : { allowed: resourceAttributes?.resource !== "secrets" };
    response.end(JSON.stringify({ ...review, status }));
  };
  const server = await serving(
    `--authorization-config=${config}`,
    `--authentication-token-webhook-config-file=${kubeconfig}`,
    "--shutdown-delay-duration=1h",
  );
  const status = async (path: string) => (await ask(server.kubeconfig, path, "alice")).status;
  expect([await status("/api/v1/pods"), await status("/api/v1/secrets")]).toEqual([200, 403]);
  file("authorization.json", configuration(hook, { type: "AlwaysAllow", name: "alwaysallow" }));
  await expect.poll(() => status("/api/v1/secrets"), { timeout: 20_000 }).toBe(200);

  file("authorization.json", "nothing");
  await run("clock", "advance", "1m", "--kubeconfig", server.kubeconfig);

  server.child.kill("SIGTERM");
  const readiness = () => ask(server.kubeconfig, "/readyz").then(({ status: ready }) => ready);
  await expect.poll(readiness, { timeout: 20_000 }).toBe(500);
  expect(await status("/livez")).toBe(200);
  await run("clock", "advance", "1h", "--kubeconfig", server.kubeconfig);
  const { status: exit, stderr } = await server.ended;
  expect(exit).toBe(0);
  const reported = /^kubedouble: reloading authorization config: --authorization-config: failed to load/gm;
  expect(stderr.match(reported)).toHaveLength(1);
});

test("serve says what is wrong with its files, and does not start", async () => {
  const broken = file("broken.json", webhook.kubeconfig({ user: { "client-certificate": "gone.pem" } }));
  const ended = await Promise.all([
    run("serve", `--authentication-token-webhook-config-file=${broken}`),
    run("serve", `--authorization-config=${file("empty.yaml", configuration())}`),
    run("serve", "--authorization-config=a", "--authorization-mode=RBAC"),
  ]);
  expect(ended.map(({ status, stdout }) => [status, stdout])).toEqual([
    [1, ""],
    [1, ""],
    [1, ""],
  ]);
  const [missing, invalid, unreadable] = ended.map(({ stderr }) => stderr);
  expect(missing).toContain(
    "--authentication-token-webhook-config-file: line 1: invalid configuration: unable to read client-cert gone.pem for u due to",
  );
  expect(invalid).toContain(
    "--authorization-config: authorizers: Required value: at least one authorization mode",
  );
  expect(unreadable).toContain("--authorization-config: ENOENT");
});

test("serve finds the servers that objects name, and identifies itself to those behind APIServices", async () => {
  const proxy = createAuthority().issue({ commonName: "front-proxy", usage: "client" });
  const apiService = {
    apiVersion: "apiregistration.k8s.io/v1",
    kind: "APIService",
    metadata: { name: "v1.metrics.test" },
    spec: {
      group: "metrics.test",
      version: "v1",
      service: { namespace: "system", name: "metrics" },
      insecureSkipTLSVerify: true,
      groupPriorityMinimum: 100,
      versionPriority: 100,
    },
  };
  webhook.answer = (_request, response) => response.end("{}");
  const server = await serving(
    `--load=${file("api-service.json", JSON.stringify(apiService))}`,
    `--service-at=system/metrics=${new URL(webhook.url).host}`,
    `--proxy-client-cert-file=${file("proxy.pem", proxy.certificate)}`,
    `--proxy-client-key-file=${file("proxy.key", proxy.key)}`,
  );
  const status = () => ask(server.kubeconfig, "/apis/metrics.test/v1/nodes").then((answer) => answer.status);
  await expect.poll(status, { timeout: 20_000 }).toBe(200);
  expect(webhook.received.at(-1)).toMatchObject({
    client: "front-proxy",
    path: "/apis/metrics.test/v1/nodes",
    headers: { host: "metrics.system.svc:443" },
  });
  server.child.kill("SIGTERM");
  expect((await server.ended).status).toBe(0);
});
