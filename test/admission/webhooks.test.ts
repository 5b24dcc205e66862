import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type Cluster,
  createCluster,
  type JsonObject,
  type KubeObject,
  type ReviewFunction,
  StatusError,
  VirtualClock,
} from "../../src/index.ts";
import { startWebhook, type WebhookServer } from "../webhooks/webhook-server.ts";

let server: WebhookServer;
beforeAll(async () => {
  server = await startWebhook();
});
afterAll(() => server.close());

const rule = { apiGroups: [""], apiVersions: ["v1"], operations: ["*"], resources: ["configmaps"] };

/** A webhook for ConfigMaps, or for what `more` says. */
function hook(name: string, more: object = {}): JsonObject {
  return {
    name,
    clientConfig: { url: "https://127.0.0.1:1/x" },
    rules: [rule],
    sideEffects: "None",
    admissionReviewVersions: ["v1"],
    ...more,
  };
}

function configuration(
  type: "Mutating" | "Validating",
  webhooks: readonly JsonObject[],
  name = "c",
): KubeObject {
  const kind = `${type}WebhookConfiguration`;
  return { apiVersion: "admissionregistration.k8s.io/v1", kind, metadata: { name }, webhooks };
}

function configMap(name: string, more: object = {}): KubeObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "default" }, ...more };
}

const patching =
  (...patch: readonly JsonObject[]): ReviewFunction =>
  () => ({ allowed: true, patch });
const allowing: ReviewFunction = () => ({ allowed: true });

/** What a creation answers: the object, or the message of the refusal. */
async function created(cluster: Cluster, object = configMap("a")): Promise<KubeObject | string> {
  return cluster.create(object).catch((error: unknown) => {
    if (!(error instanceof StatusError)) throw error;
    return error.message;
  });
}

test.each<readonly [title: string, review: ReviewFunction, message: string]>([
  [
    "another uid",
    (review) => ({ ...review, response: { uid: "x", allowed: true } }),
    'Internal error occurred: failed calling webhook "w.x.io": received invalid webhook response: expected response.uid="UID", got "x"',
  ],
  [
    "another kind",
    (review) => ({ ...review, kind: "Zed" }),
    'Internal error occurred: failed calling webhook "w.x.io": failed to call webhook: no kind "Zed" is registered for version "admission.k8s.io/v1" in scheme "k8s.io/apiserver/pkg/util/webhook/client.go:71"',
  ],
  [
    "another version",
    (review) => ({ ...review, apiVersion: "admission.k8s.io/v1beta1", response: { allowed: true } }),
    'Internal error occurred: failed calling webhook "w.x.io": failed to call webhook: converting (v1beta1.AdmissionReview) to (v1.AdmissionReview): unknown conversion',
  ],
  [
    "a response of the wrong type",
    (review) => ({ ...review, response: { uid: "x", allowed: "yes" } }),
    'Internal error occurred: failed calling webhook "w.x.io": failed to call webhook: json: cannot unmarshal string into Go struct field AdmissionResponse.response.allowed of type bool',
  ],
  [
    "a patch that is none",
    () => ({ allowed: true, patch: btoa("{}"), patchType: "JSONPatch" }),
    'Internal error occurred: failed calling webhook "w.x.io": received undecodable patch in webhook response: json: cannot unmarshal object into Go value of type jsonpatch.Patch',
  ],
  [
    "a patch of another type",
    () => ({ allowed: true, patch: btoa('[{"op":"remove","path":"/a"}]'), patchType: "Zed" }),
    'Internal error occurred: failed calling webhook "w.x.io": unsupported patch type "Zed"',
  ],
  [
    "a patch that does not apply",
    patching({ op: "test", path: "/kind", value: "Zed" }),
    "Internal error occurred: testing value /kind failed: test failed",
  ],
  [
    "a patch that leaves an invalid object",
    patching({ op: "replace", path: "/metadata/name", value: "A_b" }),
    "ConfigMap \"A_b\" is invalid: metadata.name: Invalid value: \"A_b\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
  ],
  [
    "an exception",
    () => {
      throw new Error("broken");
    },
    'Internal error occurred: failed calling webhook "w.x.io": failed to call webhook: broken',
  ],
])("a mutating webhook with %s lets nothing be written", async (_title, review, message) => {
  const cluster = createCluster({ controllers: [], objects: [configuration("Mutating", [hook("w.x.io")])] });
  cluster.webhook("w.x.io", review);
  const answer = await created(cluster);
  expect(String(answer).replace(/response\.uid="[0-9a-f-]{36}"/, 'response.uid="UID"')).toBe(message);
  await expect(cluster.get("v1", "ConfigMap", "a")).rejects.toMatchObject({ code: 404 });
});

test("webhooks are called in the order of their configurations, and again after a later change", async () => {
  const cluster = createCluster({
    controllers: [],
    objects: [
      configuration("Mutating", [hook("b.x.io")], "b"),
      configuration("Mutating", [hook("a.x.io", { reinvocationPolicy: "IfNeeded" })], "a"),
    ],
  });
  const calls: string[] = [];
  const calling =
    (name: string, review: ReviewFunction): ReviewFunction =>
    (sent) => {
      calls.push(name);
      return review(sent);
    };
  cluster.webhook("a.x.io", calling("a", allowing));
  cluster.webhook("b.x.io", calling("b", patching({ op: "add", path: "/data", value: { from: "b" } })));
  expect(await created(cluster)).toMatchObject({ data: { from: "b" } });
  expect(calls).toEqual(["a", "b", "a"]);
});

test("a webhook that changes the object forever is called twice", async () => {
  const cluster = createCluster({
    controllers: [],
    objects: [
      configuration("Mutating", [hook("a.x.io", { reinvocationPolicy: "IfNeeded" }), hook("b.x.io")]),
    ],
  });
  let count = 0;
  const counting: ReviewFunction = () => {
    count += 1;
    return { allowed: true, patch: [{ op: "add", path: "/data", value: { count: String(count) } }] };
  };
  cluster.webhook("a.x.io", counting);
  cluster.webhook("b.x.io", patching({ op: "add", path: "/immutable", value: false }));
  expect(await created(cluster)).toMatchObject({ data: { count: "2" } });
});

test.each<readonly [title: string, more: object, object: KubeObject, isCalled: boolean]>([
  ["a rule for another operation", { rules: [{ ...rule, operations: ["DELETE"] }] }, configMap("a"), false],
  ["a rule for another group", { rules: [{ ...rule, apiGroups: ["apps"] }] }, configMap("a"), false],
  ["a rule for the cluster", { rules: [{ ...rule, scope: "Cluster" }] }, configMap("a"), false],
  ["a rule for namespaces", { rules: [{ ...rule, scope: "Namespaced" }] }, configMap("a"), true],
  ["all resources", { rules: [{ ...rule, resources: ["*"] }] }, configMap("a"), true],
  ["subresources", { rules: [{ ...rule, resources: ["*/status"] }] }, configMap("a"), false],
  ["labels", { objectSelector: { matchLabels: { a: "b" } } }, configMap("a"), false],
  [
    "labels that match",
    { objectSelector: { matchLabels: { a: "b" } } },
    configMap("a", { metadata: { name: "a", namespace: "default", labels: { a: "b" } } }),
    true,
  ],
  ["a namespace", { namespaceSelector: { matchLabels: { a: "b" } } }, configMap("a"), false],
  [
    "a condition about the user",
    { matchConditions: [{ name: "c", expression: "request.userInfo.username == 'nobody'" }] },
    configMap("a"),
    false,
  ],
  [
    "a condition about permissions",
    { matchConditions: [{ name: "c", expression: "authorizer.requestResource.check('create').allowed()" }] },
    configMap("a"),
    true,
  ],
])("a webhook selects by %s", async (_title, more, object, isCalled) => {
  const cluster = createCluster({
    controllers: [],
    objects: [configuration("Validating", [hook("w.x.io", more)])],
  });
  let count = 0;
  cluster.webhook("w.x.io", () => {
    count += 1;
    return { allowed: true };
  });
  await created(cluster, object);
  expect(count).toBe(isCalled ? 1 : 0);
});

test("a rule selects another version of the resource, and the webhook sees the object in it", async () => {
  const rules = [{ apiGroups: ["autoscaling"], apiVersions: ["v1"], operations: ["*"], resources: ["*"] }];
  const more = { rules, matchPolicy: "Equivalent" };
  const cluster = createCluster({
    controllers: [],
    objects: [
      configuration("Mutating", [hook("m.x.io", more)]),
      configuration("Validating", [hook("v.x.io", { ...more, matchPolicy: "Exact" })]),
    ],
  });
  const requests: unknown[] = [];
  cluster.webhook("m.x.io", ({ request }) => {
    requests.push(request);
    return {
      allowed: true,
      patch: [{ op: "replace", path: "/spec/targetCPUUtilizationPercentage", value: 7 }],
    };
  });
  cluster.webhook("v.x.io", () => ({ allowed: false }));
  const target = {
    type: "Resource",
    resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 5 } },
  };
  const autoscaler = {
    apiVersion: "autoscaling/v2",
    kind: "HorizontalPodAutoscaler",
    metadata: { name: "h", namespace: "default" },
    spec: { scaleTargetRef: { kind: "X", name: "y" }, maxReplicas: 2, metrics: [target] },
  };
  const answer = await created(cluster, autoscaler);
  expect(requests).toMatchObject([
    {
      kind: { version: "v1" },
      requestKind: { version: "v2" },
      object: { apiVersion: "autoscaling/v1", spec: { targetCPUUtilizationPercentage: 5 } },
    },
  ]);
  expect(answer).toMatchObject({
    apiVersion: "autoscaling/v2",
    spec: { metrics: [{ resource: { target: { averageUtilization: 7 } } }] },
  });
});

test("configurations of admission are exempt from webhooks", async () => {
  const groups = ["", "admissionregistration.k8s.io"];
  const rules = [{ apiGroups: groups, apiVersions: ["*"], operations: ["*"], resources: ["*"] }];
  const cluster = createCluster({
    controllers: [],
    objects: [configuration("Validating", [hook("w.x.io", { rules })])],
  });
  cluster.webhook("w.x.io", () => ({ allowed: false }));
  await expect(created(cluster)).resolves.toBe(
    'admission webhook "w.x.io" denied the request without explanation',
  );
  await cluster.delete("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", "c");
  await expect(created(cluster)).resolves.toMatchObject({ kind: "ConfigMap" });
});

test("a webhook that does not answer is late by the clock of the cluster; other requests go on", async () => {
  const clock = new VirtualClock("2026-01-01T00:00:00Z");
  const cluster = createCluster({
    controllers: [],
    clock,
    objects: [configuration("Validating", [hook("w.x.io")])],
  });
  let isAsked = () => {};
  const asked = new Promise<void>((resolve) => {
    isAsked = resolve;
  });
  cluster.webhook("w.x.io", () => {
    isAsked();
    return new Promise(() => {});
  });
  const answer = created(cluster);
  await asked;
  await expect(cluster.get("v1", "Namespace", "default")).resolves.toMatchObject({ kind: "Namespace" });
  await clock.advance("10s");
  expect(await answer).toBe(
    'Internal error occurred: failed calling webhook "w.x.io": failed to call webhook: Post "https://127.0.0.1:1/x?timeout=10s": context deadline exceeded',
  );
});

test("a Service leads to the address that the test gives, and metrics count the calls", async () => {
  const clientConfig = {
    service: { namespace: "policies", name: "webhook", path: "/check", port: 8443 },
    caBundle: btoa(server.authority.certificate),
  };
  const cluster = createCluster({
    controllers: [],
    objects: [configuration("Validating", [hook("w.x.io", { clientConfig, failurePolicy: "Ignore" })])],
  });
  cluster.serviceAt("policies/webhook", new URL(server.url).host);
  const before = server.received.length;
  server.answer = (_request, response) => response.writeHead(302, { location: server.url }).end();
  // The certificate names an address and not the Service, so the webhook is not asked.
  await expect(created(cluster)).resolves.toMatchObject({ kind: "ConfigMap" });
  expect(server.received).toHaveLength(before);
  const metrics = await cluster.fetch("https://cluster.test/metrics");
  const text = await metrics.text();
  expect(text).toContain('apiserver_admission_webhook_fail_open_count{name="w.x.io",type="validating"} 1\n');
  expect(text).toContain(
    'apiserver_admission_webhook_admission_duration_seconds_bucket{name="w.x.io",operation="CREATE",rejected="false",type="validating",le="+Inf"} 1\n',
  );
});

test("a redirect is no answer", async () => {
  const clientConfig = { url: `${server.url}/check`, caBundle: btoa(server.authority.certificate) };
  const cluster = createCluster({
    controllers: [],
    objects: [configuration("Validating", [hook("w.x.io", { clientConfig })])],
  });
  server.answer = (_request, response) => response.writeHead(302, { location: `${server.url}/other` }).end();
  expect(await created(cluster)).toBe(
    'Internal error occurred: failed calling webhook "w.x.io": failed to call webhook: the server responded with the status code 302 but did not return more information',
  );
  expect(server.received.at(-1)).toMatchObject({
    path: "/check?timeout=10s",
    headers: { "user-agent": "kube-apiserver-admission" },
  });
});

test("an expression that does not compile is refused", async () => {
  const cluster = createCluster();
  const matchConditions = [{ name: "c", expression: "foo(" }];
  const answer = await created(cluster, configuration("Validating", [hook("w.x.io", { matchConditions })]));
  expect(answer).toContain(
    'webhooks[0].matchConditions[0].expression: Invalid value: "foo(": compilation failed: ERROR: <input>:1:5: Syntax error',
  );
});

test("the log of requests has the steps and the annotations of webhooks", async () => {
  const cluster = createCluster({
    controllers: [],
    objects: [configuration("Validating", [hook("w.x.io")])],
  });
  cluster.webhook("w.x.io", () => ({
    allowed: true,
    auditAnnotations: { why: "because" },
    warnings: ["careful"],
  }));
  const response = await cluster.fetch("https://cluster.test/api/v1/namespaces/default/configmaps", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      authorization: `Bearer ${cluster.token("admin", { groups: ["system:masters"] })}`,
    },
    body: JSON.stringify({ metadata: { name: "a" } }),
  });
  expect(response.headers.get("warning")).toBe('299 - "careful"');
  expect(cluster.requests.matching({ resource: "configmaps" })).toMatchObject([
    {
      annotations: { "w.x.io/why": "because" },
      admission: [{ plugin: "ValidatingAdmissionWebhook", name: "w.x.io", source: "c", outcome: "allowed" }],
    },
  ]);
});

test("a function may change and keep the review that it gets", async () => {
  const cluster = createCluster({ objects: [configuration("Validating", [hook("a.x.io")])] });
  const reviews: JsonObject[] = [];
  cluster.webhook("a.x.io", (review) => {
    const { object } = Object(review["request"]);
    object.data = { changed: "yes" };
    reviews.push(object);
    return { allowed: true };
  });
  const stored = await cluster.create(configMap("a", { data: { k: "v" } }));
  expect(stored["data"]).toEqual({ k: "v" });
  expect(reviews).toMatchObject([{ metadata: { name: "a" }, data: { changed: "yes" } }]);
  expect(reviews[0]?.["metadata"]).not.toHaveProperty("resourceVersion");
  await cluster.close();
});
