import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/apimachinery/json.ts";
import { type Cluster, createCluster } from "../../../src/index.ts";
import {
  type Answer,
  definitionKind,
  gadget,
  gadgetDefinition,
  gadgetsName,
  gadgetsPath,
  gadgetVersion,
  send,
} from "./gadgets.ts";

const any = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
const merge = "application/merge-patch+json";
const apply = "application/apply-patch+yaml";
const subresources = { status: {} };

/** Gadgets in two versions, of which v2 is stored. */
async function withGadgets(): Promise<Cluster> {
  const cluster = createCluster({ controllers: [] });
  const v2 = gadgetVersion("v2", any, { storage: true });
  await cluster.create(gadgetDefinition([gadgetVersion("v1", any, { subresources, storage: false }), v2]));
  await cluster.settle();
  return cluster;
}

/** A mutating webhook that waits, and another one; the result says when the first one has been called. */
async function addWebhooks(cluster: Cluster, until: Promise<void>): Promise<{ called: Promise<void> }> {
  await cluster.create({
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "MutatingWebhookConfiguration",
    metadata: { name: "hooks" },
    webhooks: ["slow.example.com", "other.example.com"].map((name) => ({
      name,
      clientConfig: { url: "https://hooks.example.com/" },
      rules: [{ apiGroups: ["example.com"], apiVersions: ["*"], operations: ["*"], resources: ["*/*"] }],
      sideEffects: "None",
      admissionReviewVersions: ["v1"],
    })),
  });
  cluster.webhook("other.example.com", () => ({ allowed: true }));
  const called = new Promise<void>((resolve) => {
    cluster.webhook("slow.example.com", async ({ request }) => {
      resolve();
      await until;
      if ((request as JsonObject)["operation"] === "DELETE") return { allowed: true };
      return {
        allowed: true,
        patch: [{ op: "add", path: "/metadata/annotations", value: { seen: "yes" } }],
      };
    });
  });
  return { called };
}

type Write = (cluster: Cluster) => Promise<Answer>;

const writes: readonly [title: string, write: Write, code: number][] = [
  ["a create", (cluster) => send(cluster, "POST", gadgetsPath("v1"), gadget("new", {})), 201],
  [
    "an apply",
    (cluster) =>
      send(cluster, "PATCH", `${gadgetsPath("v1", "new")}?fieldManager=m`, gadget("new", {}), apply),
    201,
  ],
  [
    "an update",
    async (cluster) => {
      const { body } = await send(cluster, "GET", gadgetsPath("v1", "a"));
      return send(cluster, "PUT", gadgetsPath("v1", "a"), { ...body, spec: { size: 2 } });
    },
    200,
  ],
  ["a patch", (cluster) => send(cluster, "PATCH", gadgetsPath("v1", "a"), { spec: { size: 2 } }, merge), 200],
  [
    "a patch of the status",
    (cluster) => send(cluster, "PATCH", `${gadgetsPath("v1", "a")}/status`, { status: { size: 2 } }, merge),
    200,
  ],
  ["a delete", (cluster) => send(cluster, "DELETE", gadgetsPath("v1", "a")), 200],
];
const changes: readonly [title: string, versions: readonly JsonObject[]][] = [
  [
    "its version is no longer served",
    [
      gadgetVersion("v1", any, { served: false, storage: false }),
      { ...gadgetVersion("v2", any), storage: true },
    ],
  ],
  ["its version is gone", [gadgetVersion("v2", any), gadgetVersion("v3", any, { storage: true })]],
  ["another version is stored", [gadgetVersion("v1", any), gadgetVersion("v2", any)]],
];

test.each(writes.flatMap((write) => changes.map((change) => [...write, ...change] as const)))(
  "%s ends as it began if %4$s meanwhile",
  async (_title, write, code, _change, versions) => {
    await using cluster = await withGadgets();
    await cluster.create(gadget("a", {}, "v2"));
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { called } = await addWebhooks(cluster, released);
    const writing = write(cluster);
    await called;
    await cluster.patch(...definitionKind, gadgetsName, { spec: { versions } });
    await cluster.settle();
    release();
    expect((await writing).code).toBe(code);
    const { body } = await send(cluster, "GET", gadgetsPath("v2"));
    expect(body["kind"]).toBe("GadgetList");
  },
);
