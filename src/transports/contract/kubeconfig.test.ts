import { expect, test } from "vitest";
import { parse } from "yaml";
import {
  type KubeconfigOptions,
  kubeconfig,
  kubeconfigFor,
  type UserKubeconfigOptions,
} from "./kubeconfig.ts";

const server = "https://127.0.0.1:6443";
const config = { token: "t" };
const pem = "-----BEGIN CERTIFICATE-----\nQ0E=\n-----END CERTIFICATE-----\n";

test.each<[string, KubeconfigOptions, unknown, unknown, unknown]>([
  [
    "a server alone makes an anonymous client",
    { server },
    { name: "kubedouble", cluster: { server } },
    { name: "kubedouble", context: { cluster: "kubedouble", user: "kubedouble" } },
    { name: "kubedouble", user: {} },
  ],
  [
    "everything given is in its place",
    { server, certificateAuthorityData: "Q0E=", token: "t", namespace: "n", user: "u", cluster: "c" },
    { name: "c", cluster: { server, "certificate-authority-data": "Q0E=" } },
    { name: "c", context: { cluster: "c", user: "u", namespace: "n" } },
    { name: "u", user: { token: "t" } },
  ],
  [
    "an authority in PEM is encoded",
    { server, certificateAuthorityData: pem },
    {
      name: "kubedouble",
      cluster: { server, "certificate-authority-data": Buffer.from(pem).toString("base64") },
    },
    { name: "kubedouble", context: { cluster: "kubedouble", user: "kubedouble" } },
    { name: "kubedouble", user: {} },
  ],
  [
    "a token file",
    { server, tokenFile: "/token" },
    { name: "kubedouble", cluster: { server } },
    { name: "kubedouble", context: { cluster: "kubedouble", user: "kubedouble" } },
    { name: "kubedouble", user: { tokenFile: "/token" } },
  ],
  [
    "a credential plugin with settings in the cluster",
    {
      server,
      exec: {
        command: "kubedouble",
        args: ["credential"],
        env: { A: "\u0085" },
        provideClusterInfo: true,
        config,
      },
    },
    {
      name: "kubedouble",
      cluster: { server, extensions: [{ name: "client.authentication.k8s.io/exec", extension: config }] },
    },
    { name: "kubedouble", context: { cluster: "kubedouble", user: "kubedouble" } },
    {
      name: "kubedouble",
      user: {
        exec: {
          apiVersion: "client.authentication.k8s.io/v1",
          command: "kubedouble",
          args: ["credential"],
          env: [{ name: "A", value: "\u0085" }],
          interactiveMode: "IfAvailable",
          provideClusterInfo: true,
        },
      },
    },
  ],
])("%s", (_title, options, cluster, context, user) => {
  expect(parse(kubeconfig(options))).toEqual({
    apiVersion: "v1",
    kind: "Config",
    clusters: [cluster],
    contexts: [context],
    "current-context": options.cluster ?? "kubedouble",
    preferences: {},
    users: [user],
  });
});

test.each([
  'a: b # c "d" \\e\n- f',
  "12",
  "true",
  "null",
  "",
  "~",
  "*x",
  "&x",
  "!x",
  "naïve 🙂",
  "\u0085\u2028\ufeff\u0000\u007f",
  "__proto__",
])("the text %j stays that text", (text) => {
  const parsed = parse(kubeconfig({ server, token: text, user: text, cluster: text, namespace: text }));
  expect(parsed["current-context"]).toBe(text);
  expect(parsed.users).toEqual([{ name: text, user: { token: text } }]);
  expect(parsed.contexts[0].context.namespace).toBe(text);
});

const cluster = {
  adminToken: () => "admin",
  token: (name: string, options: object = {}) => `${name} ${JSON.stringify(options)}`,
};

test.each<[string, Partial<UserKubeconfigOptions>, unknown]>([
  ["an administrator", {}, { name: "kubedouble", user: { token: "admin" } }],
  ["a user", { user: "alice" }, { name: "alice", user: { token: "alice {}" } }],
  [
    "a user with groups and a uid",
    { user: "alice", groups: ["dev"], uid: "7" },
    { name: "alice", user: { token: 'alice {"groups":["dev"],"uid":"7"}' } },
  ],
  ["a given token", { user: "alice", token: "t" }, { name: "alice", user: { token: "t" } }],
])("a kubeconfig for %s", (_title, options, user) => {
  expect(parse(kubeconfigFor(cluster, { server, ...options })).users).toEqual([user]);
});

test.each<[Partial<UserKubeconfigOptions>, string]>([
  [{ groups: ["dev"] }, "kubeconfig: groups requires user"],
  [{ uid: "7" }, "kubeconfig: uid requires user"],
  [{ user: "alice", token: "t", groups: ["dev"] }, "kubeconfig: groups has no effect with token"],
  [{ user: "alice", tokenFile: "t", uid: "7" }, "kubeconfig: uid has no effect with tokenFile"],
  [{ token: "t", tokenFile: "t" }, "kubeconfig: token has no effect with tokenFile"],
  [{ token: "t", exec: { command: "c" } }, "kubeconfig: exec has no effect with token"],
  [{ exec: { command: "c", config } }, "kubeconfig: exec: config requires provideClusterInfo"],
  [{ exec: JSON.parse("{}") }, "kubeconfig: exec needs the option command: text"],
  [
    { exec: JSON.parse('{"command": "c", "arg": []}') },
    'kubeconfig: exec: unknown option "arg"; did you mean "args"?',
  ],
  [
    { exec: JSON.parse('{"command": "c", "interactiveMode": "always"}') },
    'kubeconfig: exec: interactiveMode must be "Never", "IfAvailable" or "Always", not "always"; did you mean "Always"?',
  ],
])("a kubeconfig with %j is refused", (options, message) => {
  expect(() => kubeconfigFor(cluster, { server, ...options })).toThrow(message);
});
