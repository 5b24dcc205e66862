import { expect, test } from "vitest";
import { type Cluster, createCluster, type JsonObject, type KubeObject } from "../../src/index.ts";
import { widgets } from "../cluster/toy-kinds.ts";

const clientConfig = { url: "https://hooks.example.com/" };
const widget = (version: string, spec: JsonObject) => ({
  apiVersion: `example.com/${version}`,
  kind: "Widget",
  metadata: { name: "a" },
  spec,
});

/** Version 2 has the color in another field. */
function convert(object: JsonObject, apiVersion: string): JsonObject {
  const { color, paint } = object["spec"] as JsonObject;
  const value = color ?? paint ?? null;
  return { ...object, apiVersion, spec: apiVersion.endsWith("/v2") ? { paint: value } : { color: value } };
}

const webhook = { conversionReviewVersions: ["v1"], clientConfig };

/** The first version is the one in which widgets are stored. */
function define(cluster: Cluster, versions: readonly string[]): Promise<unknown> {
  const definition = widgets(versions, versions[0]);
  const spec = { ...(definition["spec"] as JsonObject), conversion: { strategy: "Webhook", webhook } };
  return cluster.apply({ ...definition, spec }, { force: true });
}

/** Widgets in two versions, between which a webhook converts. */
async function withWidgets(): Promise<Cluster> {
  const cluster = createCluster({ seed: 1, controllers: [] });
  cluster.webhook("widgets.example.com", (review) => {
    const { uid = "", objects, desiredAPIVersion } = review["request"] as JsonObject;
    const convertedObjects = (objects as readonly JsonObject[]).map((one) =>
      convert(one, String(desiredAPIVersion)),
    );
    return { ...review, response: { uid, convertedObjects, result: { status: "Success" } } };
  });
  await define(cluster, ["v1", "v2"]);
  await cluster.settle();
  return cluster;
}

const rules = [
  { apiGroups: ["example.com"], apiVersions: ["v2"], operations: ["*"], resources: ["widgets"] },
];

/** A mutating webhook that knows version 2 only. */
async function addWebhook(
  cluster: Cluster,
  review: (object: KubeObject) => Promise<void> | void,
): Promise<void> {
  await cluster.create({
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "MutatingWebhookConfiguration",
    metadata: { name: "paint" },
    webhooks: [
      {
        name: "paint.example.com",
        clientConfig,
        rules,
        sideEffects: "None",
        admissionReviewVersions: ["v1"],
      },
    ],
  });
  cluster.webhook("paint.example.com", async ({ request }) => {
    await review((request as { readonly object: KubeObject }).object);
    return { allowed: true, patch: [{ op: "replace", path: "/spec/paint", value: "blue" }] };
  });
}

test("a webhook gets custom resources in the version of its rule, and changes them there", async () => {
  await using cluster = await withWidgets();
  const seen: unknown[] = [];
  await addWebhook(cluster, ({ apiVersion, spec }) => {
    seen.push([apiVersion, spec]);
  });
  expect(await cluster.create(widget("v1", { color: "red" }))).toMatchObject(widget("v1", { color: "blue" }));
  expect(seen).toEqual([["example.com/v2", { paint: "red" }]]);
  await define(cluster, ["v1"]);
  await cluster.settle();
  // It is stored in the storage version.
  expect(await cluster.get("example.com/v1", "Widget", "a")).toMatchObject(widget("v1", { color: "blue" }));
});

test("a policy sees custom resources in the version of its rule", async () => {
  await using cluster = await withWidgets();
  await cluster.create({
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicy",
    metadata: { name: "paint" },
    spec: {
      matchConstraints: { resourceRules: rules },
      validations: [
        { expression: "object.spec.paint != 'red'", messageExpression: "object.apiVersion + ' is red'" },
      ],
    },
  });
  await cluster.create({
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicyBinding",
    metadata: { name: "paint" },
    spec: { policyName: "paint", validationActions: ["Deny"] },
  });
  await expect(cluster.create(widget("v1", { color: "red" }))).rejects.toThrow("example.com/v2 is red");
  await cluster.create(widget("v1", { color: "blue" }));
});

test("a webhook may answer in a version that the definition has lost meanwhile", async () => {
  await using cluster = await withWidgets();
  await addWebhook(cluster, async () => {
    await define(cluster, ["v1", "v3"]);
    await cluster.settle();
  });
  await cluster.create(widget("v1", { color: "red" }));
  expect(await cluster.get("example.com/v3", "Widget", "a")).toMatchObject(widget("v3", { color: "blue" }));
});
