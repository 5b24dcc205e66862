import { expect, test } from "vitest";
import { listAt } from "../../../src/apimachinery/fields.ts";
import type { JsonObject } from "../../../src/apimachinery/json.ts";
import { type Cluster, createCluster } from "../../../src/index.ts";
import {
  definitionKind,
  gadget,
  gadgetDefinition,
  gadgetsName,
  gadgetsPath,
  gadgetVersion,
  send,
} from "./gadgets.ts";

const any = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
const clientConfig = { url: "https://hooks.example.com/" };
const versions = (stored: string) =>
  ["v1", "v2"].map((name) => gadgetVersion(name, any, { storage: name === stored }));

async function withGadget(metadata: JsonObject = {}): Promise<Cluster> {
  const cluster = createCluster({ seed: 1 });
  await cluster.create(gadgetDefinition([gadgetVersion("v1", any)]));
  await cluster.settle();
  await cluster.create(gadget("a", {}, "v1", metadata));
  return cluster;
}

async function deleteDefinition(cluster: Cluster): Promise<void> {
  await cluster.delete(...definitionKind, gadgetsName);
  await cluster.settle();
}

/** Whether the cluster has the definition. */
async function isDefined(cluster: Cluster): Promise<boolean> {
  await cluster.settle();
  await cluster.clock.advance("10s");
  return (await cluster.list(...definitionKind)).items.length > 0;
}

test.each<[string, (cluster: Cluster) => Promise<Cluster> | Cluster]>([
  ["a fork", (cluster) => cluster.fork()],
  ["an upgraded cluster", (cluster) => cluster.upgrade("1.33").then(() => cluster)],
  [
    "a restored cluster",
    async (cluster) => {
      const saved = cluster.snapshot();
      await cluster.patch("example.com/v1", "Gadget", "a", { metadata: { finalizers: [] } });
      expect(await isDefined(cluster)).toBe(false);
      cluster.restore(saved);
      return cluster;
    },
  ],
])("%s keeps a terminating definition until its instances are gone", async (_title, from) => {
  await using origin = await withGadget({ finalizers: ["example.com/hold"] });
  await deleteDefinition(origin);
  await using cluster = await from(origin);
  expect(await isDefined(cluster)).toBe(true);
  await cluster.patch("example.com/v1", "Gadget", "a", { metadata: { finalizers: [] } });
  expect(await isDefined(cluster)).toBe(false);
});

test("instances go with their definition even if none of its versions is served", async () => {
  await using cluster = await withGadget();
  const hidden = [gadgetVersion("v1", any, { served: false })];
  await cluster.patch(...definitionKind, gadgetsName, { spec: { versions: hidden } });
  await cluster.settle();
  await deleteDefinition(cluster);
  await cluster.create(gadgetDefinition([gadgetVersion("v1", any)]));
  await cluster.settle();
  expect(listAt((await send(cluster, "GET", gadgetsPath("v1"))).body, "items")).toEqual([]);
});

test("admission does not see that instances go with their definition", async () => {
  await using cluster = await withGadget();
  await cluster.create({
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    metadata: { name: "keep" },
    webhooks: [
      {
        name: "keep.example.com",
        clientConfig,
        rules: [
          { apiGroups: ["example.com"], apiVersions: ["*"], operations: ["DELETE"], resources: ["gadgets"] },
        ],
        sideEffects: "None",
        admissionReviewVersions: ["v1"],
      },
    ],
  });
  cluster.webhook("keep.example.com", () => ({ allowed: false }));
  expect((await send(cluster, "DELETE", gadgetsPath("v1", "a"))).code).toBe(400);
  await deleteDefinition(cluster);
  expect(await isDefined(cluster)).toBe(false);
});

test("a definition says why its instances cannot be deleted, and goes on once they can", async () => {
  await using cluster = await withGadget();
  const webhook = { conversionReviewVersions: ["v1"], clientConfig };
  const spec = { versions: versions("v2"), conversion: { strategy: "Webhook", webhook } };
  await cluster.patch(...definitionKind, gadgetsName, { spec });
  await cluster.settle();
  cluster.webhook(gadgetsName, () => {
    throw new Error("broken");
  });
  await deleteDefinition(cluster);
  const { status } = await cluster.get(...definitionKind, gadgetsName);
  expect(listAt(status as JsonObject, "conditions").at(-1)).toMatchObject({
    type: "Terminating",
    status: "True",
    reason: "InstanceDeletionFailed",
    message: expect.stringMatching(
      /^could not list instances: conversion webhook for example.com\/v1, Kind=Gadget failed: .*broken/,
    ),
  });
  cluster.webhook(gadgetsName, ({ request }) => {
    const { uid, objects, desiredAPIVersion: apiVersion } = request as JsonObject;
    const convertedObjects = (objects as JsonObject[]).map((one) => ({ ...one, apiVersion }) as JsonObject);
    const response = { uid: uid ?? "", result: { status: "Success" }, convertedObjects };
    return { apiVersion: "apiextensions.k8s.io/v1", kind: "ConversionReview", response };
  });
  expect(await isDefined(cluster)).toBe(false);
});
