import { describe, expect, test } from "vitest";
import { quietCluster, type SendRequest, testClient } from "../registry/test-client.ts";

interface Entry {
  readonly manager: string;
  readonly operation: string;
  readonly subresource?: string;
  readonly fieldsV1: { readonly [field: string]: object };
}

/** The fields below one field of an entry: `f:spec`. */
function fieldsBelow(entries: readonly Entry[], operation: string, field: string): readonly string[] {
  const entry = entries.find((one) => one.operation === operation && Object.hasOwn(one.fieldsV1, field));
  return Object.keys(entry?.fieldsV1[field] ?? {}).sort();
}

const scaleTargetRef = { kind: "Deployment", name: "d", apiVersion: "apps/v1" };
const annotation = "autoscaling.alpha.kubernetes.io/metrics";
const memory = '[{"type":"Resource","resource":{"name":"memory","targetAverageUtilization":5}}]';

/** Upstream tracks what an object is after its conversion (apimachinery, managedfields/internal/structuredmerge.go). */
describe("the target of an autoscaler in autoscaling/v1", () => {
  const path = "/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers";

  test.each<[string, object, object, boolean]>([
    ["that names none, by default", {}, {}, true],
    ["that names one", { targetCPUUtilizationPercentage: 50 }, {}, true],
    ["that has another metric", {}, { [annotation]: memory }, false],
    ["whose other metrics are malformed", {}, { [annotation]: "no" }, true],
  ])("belongs to a creator %s", async (_title, spec, annotations, isOwned) => {
    const send = testClient(quietCluster());
    const { object } = await send("POST", path, {
      metadata: { name: "h", annotations },
      spec: { scaleTargetRef, maxReplicas: 3, ...spec },
    });
    const owned = fieldsBelow(object.metadata.managedFields, "Update", "f:spec");
    expect(owned.includes("f:targetCPUUtilizationPercentage")).toBe(isOwned);
    expect(Object.hasOwn(object.spec, "targetCPUUtilizationPercentage")).toBe(isOwned);
  });

  test.each([
    ["is well-formed", memory, true],
    ["is malformed and dropped", "no", false],
  ])("with an annotation that %s: only what is stored is owned", async (_title, metrics, isOwned) => {
    const send = testClient(quietCluster());
    const annotations = { [annotation]: metrics, other: "x" };
    const body = { metadata: { name: "h", annotations }, spec: { scaleTargetRef, maxReplicas: 3 } };
    const { object } = await send("POST", path, body);
    expect(Object.hasOwn(object.metadata.annotations, annotation)).toBe(isOwned);
    const owned = fieldsBelow(object.metadata.managedFields, "Update", "f:metadata");
    expect(owned).toEqual(["f:annotations"]);
    const [{ fieldsV1 }] = object.metadata.managedFields;
    const keys = Object.keys(fieldsV1["f:metadata"]["f:annotations"]);
    expect(keys).toEqual([".", ...(isOwned ? [`f:${annotation}`] : []), "f:other"]);
  });

  test("does not belong to an applier who did not apply it", async () => {
    const cluster = quietCluster();
    await cluster.apply(
      {
        apiVersion: "autoscaling/v1",
        kind: "HorizontalPodAutoscaler",
        metadata: { name: "h", namespace: "default" },
        spec: { scaleTargetRef, maxReplicas: 3 },
      },
      { fieldManager: "me" },
    );
    const { object } = await testClient(cluster)("GET", `${path}/h`);
    expect(object.spec.targetCPUUtilizationPercentage).toBe(80);
    expect(fieldsBelow(object.metadata.managedFields, "Apply", "f:spec")).toEqual([
      "f:maxReplicas",
      "f:scaleTargetRef",
    ]);
  });
});

/** Upstream: pkg/apis/core/v1/conversion.go. */
describe("the addresses of a pod", () => {
  async function clientWithPod(): Promise<SendRequest> {
    const send = testClient(quietCluster({ controllers: ["serviceaccount-controller"] }));
    const spec = { containers: [{ name: "c", image: "i" }] };
    await send("POST", "/api/v1/namespaces/default/pods", { metadata: { name: "p" }, spec });
    return send;
  }

  test.each<[string, object, string, readonly object[]]>([
    ["podIP", { podIP: "10.0.0.1" }, "10.0.0.1", [{ ip: "10.0.0.1" }]],
    ["podIPs", { podIPs: [{ ip: "10.0.0.1" }] }, "10.0.0.1", [{ ip: "10.0.0.1" }]],
    [
      "both, where the single one wins",
      { podIP: "10.0.0.2", podIPs: [{ ip: "10.0.0.1" }] },
      "10.0.0.2",
      [{ ip: "10.0.0.2" }],
    ],
  ])("both belong to a writer of %s", async (_title, status, podIP, podIPs) => {
    const send = await clientWithPod();
    const { object } = await send("PATCH", "/api/v1/namespaces/default/pods/p/status", { status });
    expect(object.status).toMatchObject({ podIP, podIPs });
    const owned = fieldsBelow(object.metadata.managedFields, "Update", "f:status");
    expect(owned).toEqual(["f:podIP", "f:podIPs"]);
  });
});

describe("what a conversion fills in or drops within one version belongs to its writer, or to no one:", () => {
  const container = { name: "c", image: "i" };
  const template = (annotations: object) => ({
    metadata: { labels: { app: "a" }, annotations },
    spec: { containers: [container] },
  });
  const selector = { matchLabels: { app: "a" } };
  const initContainers = { "pod.beta.kubernetes.io/init-containers": "[]", kept: "x" };

  test.each<[title: string, path: string, body: object, below: readonly string[], owned: readonly string[]]>([
    [
      "the alias of a service account",
      "/api/v1/namespaces/default/pods",
      { spec: { serviceAccount: "default", containers: [container] } },
      ["f:spec"],
      ["f:serviceAccount", "f:serviceAccountName"],
    ],
    [
      "the text of a secret",
      "/api/v1/namespaces/default/secrets",
      { stringData: { a: "b" } },
      ["f:data"],
      [".", "f:a"],
    ],
    [
      "the first network of a node",
      "/api/v1/nodes",
      { spec: { podCIDRs: ["10.0.0.0/24"] } },
      ["f:spec"],
      ["f:podCIDR", "f:podCIDRs"],
    ],
    [
      "the list of networks of a node",
      "/api/v1/nodes",
      { spec: { podCIDR: "10.0.0.0/24" } },
      ["f:spec"],
      ["f:podCIDR", "f:podCIDRs"],
    ],
    [
      "the generation of a template",
      "/apis/apps/v1/namespaces/default/daemonsets",
      { spec: { selector, template: template({}) } },
      ["f:metadata", "f:annotations"],
      [".", "f:deprecated.daemonset.template.generation"],
    ],
    [
      "annotations of a pod for init containers",
      "/api/v1/namespaces/default/pods",
      { metadata: { annotations: initContainers }, spec: { containers: [container] } },
      ["f:metadata", "f:annotations"],
      [".", "f:kept"],
    ],
    [
      "annotations of a template for init containers",
      "/apis/apps/v1/namespaces/default/deployments",
      { spec: { selector, template: template(initContainers) } },
      ["f:spec", "f:template", "f:metadata", "f:annotations"],
      [".", "f:kept"],
    ],
    [
      "an empty annotation for a rollback",
      "/apis/apps/v1/namespaces/default/deployments",
      {
        metadata: { annotations: { "deprecated.deployment.rollback.to": "", kept: "x" } },
        spec: { selector, template: template({}) },
      },
      ["f:metadata", "f:annotations"],
      [".", "f:kept"],
    ],
  ])("%s", async (_title, path, body, below, owned) => {
    const send = testClient(quietCluster({ controllers: ["serviceaccount-controller"] }));
    const { metadata, ...rest } = body as { readonly metadata?: object };
    const { object } = await send("POST", path, { metadata: { name: "n", ...metadata }, ...rest });
    let fields = object.metadata.managedFields[0].fieldsV1;
    for (const field of below) fields = fields[field];
    const names = Object.keys(fields);
    expect(
      owned.length > 1 && below[0] === "f:spec" ? names.filter((name) => owned.includes(name)) : names,
    ).toEqual(owned);
  });
});

describe("an annotation for a rollback", () => {
  const path = "/apis/apps/v1/namespaces/default/deployments";
  const deployment = (revision: string) => ({
    metadata: { name: "d", annotations: { "deprecated.deployment.rollback.to": revision } },
    spec: {
      selector: { matchLabels: { app: "a" } },
      template: { metadata: { labels: { app: "a" } }, spec: { containers: [{ name: "c", image: "i" }] } },
    },
  });

  test("is a number", async () => {
    const send = testClient(quietCluster());
    expect((await send("POST", path, deployment("x"))).object).toMatchObject({
      code: 400,
      message:
        'Deployment in version "v1" cannot be handled as a Deployment: failed to parse annotation[deprecated.deployment.rollback.to]=x as int64: strconv.ParseInt: parsing "x": invalid syntax',
    });
  });

  test("is stored in its canonical form", async () => {
    const { object } = await testClient(quietCluster())("POST", path, deployment("+007"));
    expect(object.metadata.annotations).toEqual({ "deprecated.deployment.rollback.to": "7" });
  });
});
