import { expect, test } from "vitest";
import { ConfigurationError } from "../../apimachinery/errors/configuration-error.ts";
import { parseRelease, type Release } from "../../apimachinery/release.ts";
import { featureGates } from "../../catalog/feature-gates.ts";
import type { AuthorizationConfigurationSource } from "./authorization-configuration.ts";
import { validConfiguration } from "./valid-configuration.ts";

const source: AuthorizationConfigurationSource = {
  text: "",
  onReloadError: () => {},
  webhooks: new Map([["function", (review) => review]]),
  readFile: (path) => {
    const code = { "/dir": "EISDIR", "/secret": "EACCES" }[path] ?? "ENOENT";
    if (path !== "/config") throw Object.assign(new Error("no"), { code });
    return "";
  },
  title: "option",
  hasPolicies: false,
};

function load(text: string, given: Release = "1.32"): unknown {
  const release = parseRelease(given);
  return validConfiguration(text, source, { release, gates: featureGates(release) });
}

const head = { apiVersion: "apiserver.config.k8s.io/v1", kind: "AuthorizationConfiguration" };
const webhook = {
  timeout: "3s",
  subjectAccessReviewVersion: "v1",
  failurePolicy: "Deny",
  connectionInfo: { type: "KubeConfigFile", kubeConfigFile: "/config" },
};
const text = (...authorizers: readonly object[]) => JSON.stringify({ ...head, authorizers });
const withWebhook = (members: object) =>
  text({ type: "Webhook", name: "hook", webhook: { ...webhook, ...members } });
const condition = (...expressions: readonly string[]) =>
  withWebhook({
    matchConditionSubjectAccessReviewVersion: "v1",
    matchConditions: expressions.map((expression) => ({ expression })),
  });

test.each<[string, string]>([
  ["modes and webhooks", text({ type: "Node", name: "node" }, { type: "RBAC", name: "rbac" })],
  ["a webhook", withWebhook({})],
  ["two webhooks", text(...["a", "b.c"].map((name) => ({ type: "Webhook", name, webhook })))],
  ["a function", text({ type: "Webhook", name: "function", webhook: { ...webhook, connectionInfo: {} } })],
  ["the longest timeout", withWebhook({ timeout: "30s" })],
  ["64 conditions", condition(...Array.from({ length: 64 }, (_, i) => `${i} == 0`))],
  ["conditions", condition("request.user == 'a'", "has(request.resourceAttributes.labelSelector)")],
  ["v1beta1", text({ type: "AlwaysAllow", name: "alwaysallow" }).replace("k8s.io/v1", "k8s.io/v1beta1")],
])("%s are valid", (_title, valid) => {
  expect(load(valid)).toMatchObject({ kind: "AuthorizationConfiguration" });
});

const strict = "failed to load AuthorizationConfiguration from file: ";

// The rules of upstream's TestValidateAuthorizationConfiguration and TestLoadFromData, with the whole texts.
test.each<[string, string, string]>([
  ["nothing", "", "authorizers: Required value: at least one authorization mode must be defined"],
  ["no authorizers", text(), "authorizers: Required value: at least one authorization mode must be defined"],
  ["no type", text({}), "authorizers[0].type: Required value"],
  [
    "an unknown type",
    text({ type: "Foo", name: "foo" }),
    'authorizers[0].type: Unsupported value: "Foo": supported values: "ABAC", "AlwaysAllow", "AlwaysDeny", "Node", "RBAC", "Webhook"',
  ],
  [
    "a type twice",
    text({ type: "RBAC", name: "rbac" }, { type: "RBAC", name: "r" }),
    'authorizers[1].type: Duplicate value: "RBAC"',
  ],
  ["no name", text({ type: "RBAC" }), "authorizers[0].name: Required value"],
  [
    "a name twice",
    text({ type: "Webhook", name: "a", webhook }, { type: "Webhook", name: "a", webhook }),
    'authorizers[1].name: Duplicate value: "a"',
  ],
  [
    "a name in upper case",
    text({ type: "Webhook", name: "A", webhook }),
    'authorizers[0].name: Invalid value: "A": authorizer name is invalid: a lowercase RFC 1123 subdomain must consist of…',
  ],
  [
    "a long name in upper case",
    text({ type: "Webhook", name: "A".repeat(254), webhook }),
    'authorizers[0].name: Invalid value: "A…": authorizer name is invalid: must be no more than 253 characters, a lowercase RFC 1123 subdomain must consist of…',
  ],
  [
    "another name than the type's",
    text({ type: "RBAC", name: "x" }),
    "expected name rbac for authorizer RBAC instead of x",
  ],
  [
    "no webhook",
    text({ type: "Webhook", name: "a" }),
    "authorizers[0].webhook: Required value: required when type=Webhook",
  ],
  [
    "a webhook of another type",
    text({ type: "RBAC", name: "rbac", webhook }),
    'authorizers[0].webhook: Invalid value: "non-null": may only be specified when type=Webhook',
  ],
  ["no timeout", withWebhook({ timeout: "0s" }), "authorizers[0].timeout: Required value"],
  [
    "a long timeout",
    withWebhook({ timeout: "60s" }),
    'authorizers[0].timeout: Invalid value: "1m0s": must be > 0s and <= 30s',
  ],
  [
    "a negative timeout",
    withWebhook({ timeout: "-1s" }),
    'authorizers[0].timeout: Invalid value: "-1s": must be > 0s and <= 30s',
  ],
  [
    "a negative TTL",
    withWebhook({ authorizedTTL: "-1s" }),
    'authorizers[0].authorizedTTL: Invalid value: "-1s": must be > 0s',
  ],
  ["no duration", withWebhook({ unauthorizedTTL: "x" }), `${strict}time: invalid duration "x"`],
  [
    "no version",
    withWebhook({ subjectAccessReviewVersion: "" }),
    "authorizers[0].subjectAccessReviewVersion: Required value",
  ],
  [
    "an unknown version",
    withWebhook({ subjectAccessReviewVersion: "v2beta1" }),
    'authorizers[0].subjectAccessReviewVersion: Unsupported value: "v2beta1": supported values: "v1", "v1beta1"',
  ],
  [
    "conditions without a version",
    withWebhook({ matchConditions: [{ expression: "true" }] }),
    "authorizers[0].matchConditionSubjectAccessReviewVersion: Required value: required if match conditions are specified",
  ],
  [
    "conditions of another version",
    withWebhook({ matchConditionSubjectAccessReviewVersion: "v1beta1" }),
    'authorizers[0].matchConditionSubjectAccessReviewVersion: Unsupported value: "v1beta1": supported values: "v1"',
  ],
  ["no policy", withWebhook({ failurePolicy: "" }), "authorizers[0].failurePolicy: Required value"],
  [
    "an unknown policy",
    withWebhook({ failurePolicy: "AlwaysAllow" }),
    'authorizers[0].failurePolicy: Unsupported value: "AlwaysAllow": supported values: "NoOpinion", "Deny"',
  ],
  [
    "no connection",
    withWebhook({ connectionInfo: {} }),
    "authorizers[0].connectionInfo.type: Required value",
  ],
  [
    "an unknown connection",
    withWebhook({ connectionInfo: { type: "X" } }),
    'authorizers[0].connectionInfo.type: Unsupported value: "X": supported values: "InClusterConfig", "KubeConfigFile"',
  ],
  [
    "a file in the cluster",
    withWebhook({ connectionInfo: { type: "InClusterConfig", kubeConfigFile: "/config" } }),
    'authorizers[0].connectionInfo.kubeConfigFile: Invalid value: "/config": can only be set when type=KubeConfigFile',
  ],
  [
    "no file",
    withWebhook({ connectionInfo: { type: "KubeConfigFile" } }),
    "authorizers[0].connectionInfo.kubeConfigFile: Required value",
  ],
  [
    "a relative path",
    withWebhook({ connectionInfo: { type: "KubeConfigFile", kubeConfigFile: "../config" } }),
    'authorizers[0].connectionInfo.kubeConfigFile: Invalid value: "../config": must be an absolute path',
  ],
  [
    "a missing file",
    withWebhook({ connectionInfo: { type: "KubeConfigFile", kubeConfigFile: "/gone" } }),
    'authorizers[0].connectionInfo.kubeConfigFile: Invalid value: "/gone": error loading file: stat /gone: no such file or directory',
  ],
  [
    "a directory",
    withWebhook({ connectionInfo: { type: "KubeConfigFile", kubeConfigFile: "/dir" } }),
    'authorizers[0].connectionInfo.kubeConfigFile: Invalid value: "/dir": must be a regular file',
  ],
  ["an empty condition", condition(" "), "authorizers[0].matchConditions[0].expression: Required value"],
  [
    "a condition twice",
    condition("true", "true"),
    'authorizers[0].matchConditions[1].expression: Duplicate value: "true"',
  ],
  [
    "many conditions",
    condition(...Array.from({ length: 65 }, (_, i) => `${i} == 0`)),
    "authorizers[0].matchConditions: Too many: 65: must have at most 64 items",
  ],
  [
    "a condition that does not compile",
    condition("request.users == 'a'"),
    "authorizers[0].matchConditions[0].expression: Invalid value: \"request.users == 'a'\": compilation failed: ERROR: <input>:1:8: undefined field 'users'\n | request.users == 'a'\n | .......^",
  ],
  ["a condition of another type", condition("request.user"), "…must evaluate to bool but got string"],
  ["a condition of any type", condition("dyn(true)"), "…must evaluate to bool but got dyn"],
  [
    "several errors",
    text({}, { type: "RBAC" }),
    "[authorizers[0].type: Required value, authorizers[1].name: Required value]",
  ],
  [
    "another version",
    text().replace("/v1", "/v9"),
    `${strict}no kind "AuthorizationConfiguration" is registered for version…`,
  ],
  ["another kind", text().replace("Authorization", "X"), `${strict}no kind "XConfiguration" is registered…`],
  ["no kind", "{}", `${strict}Object 'Kind' is missing in '{}'`],
  [
    "an unknown field",
    withWebhook({ foo: 1 }),
    `${strict}strict decoding error: unknown field "authorizers[0].webhook.foo"`,
  ],
  [
    "__proto__",
    text(JSON.parse('{"__proto__":{"type":"RBAC"}}')),
    `${strict}strict decoding error: unknown field "authorizers[0].__proto__"`,
  ],
  [
    "a field twice",
    "kind: AuthorizationConfiguration\napiVersion: apiserver.config.k8s.io/v1\nkind: AuthorizationConfiguration",
    `${strict}strict decoding error: yaml: unmarshal errors:\n  line 3: key "kind" already set in map`,
  ],
  ["no YAML", "a: b: c", `${strict}yaml:…`],
  ["null", "null", `${strict}Object 'Kind' is missing in 'null'`],
  ["a number", "7", `${strict}couldn't get version/kind; json parse error: json: cannot unmarshal number`],
  [
    "no API version",
    '{"kind":"AuthorizationConfiguration"}',
    `${strict}Object 'apiVersion' is missing in '{"kind":"AuthorizationConfiguration"}'`,
  ],
  [
    "several unknown fields",
    withWebhook({ foo: 1, timeout: { a: 1 } }),
    `${strict}strict decoding error: unknown field "authorizers[0].webhook.foo", unknown field "authorizers[0].webhook.timeout.a"`,
  ],
  [
    "a negative unauthorized TTL",
    withWebhook({ unauthorizedTTL: "-1s" }),
    'authorizers[0].unauthorizedTTL: Invalid value: "-1s": must be > 0s',
  ],
  [
    "the files of a pod",
    withWebhook({ connectionInfo: { type: "InClusterConfig" } }),
    'authorizers[0].connectionInfo.type: Invalid value: "InClusterConfig": needs a function for this authorizer',
  ],
  [
    "a file that cannot be read",
    withWebhook({ connectionInfo: { type: "KubeConfigFile", kubeConfigFile: "/secret" } }),
    'authorizers[0].connectionInfo.kubeConfigFile: Invalid value: "/secret": error loading file: no',
  ],
  ["a list", "[]", `${strict}couldn't get version/kind; json parse error: json: cannot unmarshal array`],
])("%s is an error", (_title, invalid, message) => {
  expect(messageOf(invalid)).toMatch(wholeText(`option: ${message}`));
});

function messageOf(invalid: string): string {
  try {
    load(invalid);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message;
  }
  return "no error of configuration";
}

/** The text, in which `…` is anything. */
function wholeText(message: string): RegExp {
  const parts = message.split("…").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join("[^]*")}$`);
}

test.each<[Release, string, boolean]>([
  ["1.29", "v1alpha1", true],
  ["1.29", "v1beta1", false],
  ["1.30", "v1beta1", true],
  ["1.31", "v1", false],
  ["1.32", "v1alpha1", true],
])("%s knows %s: %s", (release, version, isKnown) => {
  const config = text({ type: "RBAC", name: "rbac" }).replace("/v1", `/${version}`);
  if (isKnown) expect(load(config, release)).toBeDefined();
  else expect(() => load(config, release)).toThrow("no kind");
});

test("fields about caching are known since 1.34", () => {
  const config = withWebhook({ cacheAuthorizedRequests: false });
  expect(load(config, "1.34")).toBeDefined();
  expect(() => load(config)).toThrow('unknown field "authorizers[0].webhook.cacheAuthorizedRequests"');
});
