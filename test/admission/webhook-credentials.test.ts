import { afterAll, beforeAll, expect, test } from "vitest";
import { createCluster } from "../../src/index.ts";
import { hostCredentials } from "../../src/webhooks/host-credentials.ts";
import { startWebhook, type WebhookServer } from "../webhooks/webhook-server.ts";
import { configMap } from "./policy-objects.ts";

let server: WebhookServer;
beforeAll(async () => {
  server = await startWebhook();
});
afterAll(() => server.close());

/** A kubeconfig whose users have tokens that are their names. */
const kubeconfig = (names: readonly string[]) =>
  JSON.stringify({
    users: names.map((name) => ({ name, user: { token: name } })),
    contexts: [{ name: "x", context: { user: "current" } }],
    "current-context": "x",
  });

test.each([
  [["*", "*.svc", "*.a.svc", "w.a.svc", "w.a.svc:443"], "w.a.svc:443", "w.a.svc:443"],
  [["*", "*.svc", "*.a.svc", "w.a.svc"], "w.a.svc:443", "w.a.svc"],
  [["*", "*.svc", "*.a.svc"], "w.a.svc:443", "*.a.svc"],
  [["*", "*.svc"], "w.a.svc:443", "*.svc"],
  [["*", "w.a.svc", "*.svc"], "w.a.svc:8443", "*"],
  [["*", "*.svc:8443"], "w.a.svc:8443", "*.svc:8443"],
  [["current", "*"], "w.a.svc:443", "*"],
  [["current", "other"], "w.a.svc:443", "current"],
])("of the users %j, the webhook at %s gets the credentials of %s", (names, target, user) => {
  const credentials = hostCredentials({ text: kubeconfig(names), readFile: () => "" }, "file");
  expect(credentials(target)).toEqual({ certificate: undefined, authorization: `Bearer ${user}` });
});

const plugin = "ValidatingAdmissionWebhook";

function clusterWith(kubeConfigFile: string) {
  const version = { apiVersion: "apiserver.config.k8s.io/v1" };
  const configuration = { ...version, kind: "WebhookAdmissionConfiguration", kubeConfigFile };
  const webhook = {
    name: "w.x.io",
    clientConfig: { url: `${server.url}/check`, caBundle: btoa(server.authority.certificate) },
    rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["*"], resources: ["configmaps"] }],
    sideEffects: "None",
    admissionReviewVersions: ["v1"],
  };
  const metadata = { name: "c" };
  const kind = "ValidatingWebhookConfiguration";
  return createCluster({
    controllers: [],
    objects: [{ apiVersion: "admissionregistration.k8s.io/v1", kind, metadata, webhooks: [webhook] }],
    admissionControlConfigFile: {
      ...version,
      kind: "AdmissionConfiguration",
      plugins: [{ name: plugin, configuration }],
    },
  });
}

test("the server identifies itself to a webhook at an address", async () => {
  server.answer = ({ text }, response) => {
    const { apiVersion, kind, request } = JSON.parse(text);
    response.end(JSON.stringify({ apiVersion, kind, response: { uid: request.uid, allowed: true } }));
  };
  await clusterWith(kubeconfig(["*", new URL(server.url).host])).create(configMap("a"));
  expect(server.received.at(-1)?.headers.authorization).toBe(`Bearer ${new URL(server.url).host}`);
});

test("a kubeconfig that cannot be used ends the start", async () => {
  await expect(clusterWith('{"users": [{"name": "*", "user": {"as": "x"}}]}').settle()).rejects.toThrow(
    `couldn't init admission plugin "${plugin}": kubeConfigFile: line 1: invalid configuration: as is not supported here`,
  );
});
