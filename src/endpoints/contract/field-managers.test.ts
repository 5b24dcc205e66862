import { describe, expect, test } from "vitest";
import { viewOf } from "../../../test/api-view.ts";
import { VirtualClock } from "../../apimachinery/clock.ts";
import type { KubeObject, MutableKubeObject } from "../../apimachinery/object-meta.ts";
import { featureGates } from "../../catalog/feature-gates.ts";
import { horizontalPodAutoscalerV1 } from "../../kinds/autoscaling/horizontal-pod-autoscaler/horizontal-pod-autoscaler-conversion.ts";
import type { ServedApi } from "../../served/served-api.ts";
import { type ConversionOf, conversionBetween } from "./conversion.ts";
import { FieldManagers, managerOf } from "./field-managers.ts";
import type { ResourceScopes } from "./resource-scopes.ts";
import type { ResourceContext, ResourceScope } from "./scope.ts";

const view = viewOf({ release: "1.32" });

function newManagers(): FieldManagers {
  const clock = new VirtualClock("2026-01-01T00:00:00Z");
  // Neither kind is converted for the field manager.
  return new FieldManagers(
    { current: view } as unknown as ServedApi,
    {} as ResourceScopes,
    clock,
    featureGates("1.32"),
  );
}

/** The endpoint of a resource whose objects are stored in another version. */
function scopeOf(
  resource: string,
  gvk: { group: string; version: string; kind: string },
  stored: string,
  conversionOf: ConversionOf,
): ResourceScope {
  const schemaAt = (version: string) =>
    view.kind({ ...gvk, version }) ?? expect.unreachable("it has a schema");
  const schema = schemaAt(gvk.version);
  const conversion = conversionBetween(
    { gvk: { ...gvk, version: stored }, schema: schemaAt(stored) },
    { gvk, schema },
    conversionOf,
  );
  // A field manager reads only these parts.
  return {
    resource: view.resource({ ...gvk, resource }),
    subresource: undefined,
    gvk,
    schema,
    conversion,
    conversionOf,
    ownedFields: undefined,
    defaultsOf: () => undefined,
    completeSpecs: new WeakSet(),
  } as unknown as ResourceScope;
}

const maps = scopeOf("configmaps", { group: "", version: "v1", kind: "ConfigMap" }, "v1", () => undefined);
const scaler = { group: "autoscaling", version: "v1", kind: "HorizontalPodAutoscaler" };
const scalers = scopeOf("horizontalpodautoscalers", scaler, "v2", () => horizontalPodAutoscalerV1);

const map = (metadata: object): MutableKubeObject => ({
  kind: "ConfigMap",
  apiVersion: "v1",
  metadata: { name: "m", ...metadata },
  data: { a: "1" },
});
const autoscaler = (metadata: object): MutableKubeObject => ({
  kind: scaler.kind,
  apiVersion: "autoscaling/v1",
  metadata: { name: "m", ...metadata },
  spec: { scaleTargetRef: { kind: "Deployment", name: "d", apiVersion: "apps/v1" }, maxReplicas: 3 },
});

describe.each([
  ["without a conversion", maps, map],
  ["with a conversion", scalers, autoscaler],
])("an update %s", (_title, scope, object) => {
  const live: KubeObject = object({ uid: "1" });

  test.each([[[]], [[{}]]])("that resets managedFields by %j leaves no such field", async (managedFields) => {
    const sent = object({ uid: "1", managedFields });
    const updated = await newManagers().of(scope).update(live, sent, "me");
    expect(updated).toBe(sent);
    expect(updated.metadata).toStrictEqual({ name: "m", uid: "1" });
  });

  test("that creates gives the fields to its manager, in the version of the endpoint", async () => {
    const { metadata, apiVersion } = await newManagers().of(scope).update(undefined, object({}), "me");
    expect(metadata["managedFields"]).toMatchObject([
      { manager: "me", operation: "Update", apiVersion, time: "2026-01-01T00:00:00Z" },
    ]);
  });

  test("keeps what is sent, whatever conversions fill in", async () => {
    const sent = object({});
    const { metadata: _, ...rest } = sent;
    const before = structuredClone(rest);
    const updated = await newManagers().of(scope).update(undefined, sent, "me");
    expect(updated).toMatchObject(before);
    expect(updated["spec"]).toStrictEqual(before["spec"]);
  });

  test("meets the same field manager at the same endpoint", () => {
    const managers = newManagers();
    expect(managers.of(scope)).toBe(managers.of(scope));
  });
});

describe("managedFields of another version", () => {
  const gvk = { ...scaler, version: "v2" };
  const entry = (manager: string, version: string, ...fields: readonly string[]) => ({
    manager,
    operation: "Update",
    apiVersion: `autoscaling/${version}`,
    fieldsType: "FieldsV1",
    fieldsV1: { "f:spec": Object.fromEntries(fields.map((field) => [`f:${field}`, {}])) },
  });
  const entries = [entry("a", "v1", "maxReplicas", "minReplicas"), entry("b", "v2", "minReplicas")] as const;
  const sent = (maxReplicas: number, managedFields: readonly object[]): MutableKubeObject => ({
    ...{ kind: gvk.kind, apiVersion: "autoscaling/v2" },
    metadata: { name: "m", managedFields: managedFields as never },
    spec: { scaleTargetRef: { kind: "Deployment", name: "d" }, minReplicas: 1, maxReplicas },
  });

  /** The managers after an update by `me`; the webhook that converts is asked in other turns, if it is there. */
  async function managersAfter(
    webhook: "there" | "missing",
    managedFields: readonly object[],
  ): Promise<unknown> {
    const toV1 = {
      convert: async (objects: readonly KubeObject[], to: { version: string }) =>
        objects.map((object) => ({ ...object, apiVersion: `autoscaling/${to.version}` })),
    };
    const scopes = {
      of: ({ version }: { version: string }) => {
        if (version === "v2") return own;
        const other = scopeOf("horizontalpodautoscalers", scaler, "v2", () => toV1 as never);
        return webhook === "missing" ? undefined : { ...other, rest: own.rest };
      },
    };
    const schema = view.kind(gvk) ?? expect.unreachable("it has a schema");
    const rest = { definition: { gvk, schema } };
    const own = { ...scopeOf("horizontalpodautoscalers", gvk, "v2", () => undefined), rest } as ResourceScope;
    const clock = new VirtualClock("2026-01-01T00:00:00Z");
    const managers = new FieldManagers(
      { current: view } as unknown as ServedApi,
      scopes as unknown as ResourceScopes,
      clock,
      featureGates("1.32"),
    );
    const { metadata } = await managers.of(own).update(sent(3, entries), sent(4, managedFields), "me");
    return (metadata["managedFields"] as unknown as { manager: string }[])
      .map(({ manager }) => manager)
      .sort();
  }

  test("are compared in it, and those that the update sends count, however often it has to wait", async () => {
    expect(await managersAfter("there", entries)).toEqual(["a", "b", "me"]);
    expect(await managersAfter("there", entries.slice(0, 1))).toEqual(["a", "me"]);
  });

  test("are dropped if it is no longer served, as upstream does", async () => {
    expect(await managersAfter("missing", entries)).toEqual(["b", "me"]);
  });
});

test.each([
  ["its resource", undefined, ["f:spec"]],
  ["its status", "status", ["f:status"]],
])("an update belongs to its manager without what a write of %s resets", async (_title, name, owned) => {
  const gvk = { group: "apps", version: "v1", kind: "Deployment" };
  const deployments = scopeOf("deployments", gvk, "v1", () => undefined);
  const scope = { ...deployments, subresource: name === undefined ? undefined : { name } } as ResourceScope;
  const sent: MutableKubeObject = {
    kind: gvk.kind,
    apiVersion: "apps/v1",
    metadata: { name: "d", labels: { a: "b" } },
    spec: { replicas: 2 },
    status: { replicas: 2 },
  };
  const { metadata } = await newManagers().of(scope).update(undefined, sent, "me");
  const [entry] = metadata["managedFields"] as unknown as { fieldsV1: object }[];
  const fields = Object.keys(entry?.fieldsV1 ?? {}).filter((field) => field !== "f:metadata");
  expect(fields).toEqual(owned);
});

test("the manager of a request is that of its parameter, or the program that sends it", () => {
  const context = {
    request: { headers: { get: (name: string) => (name === "user-agent" ? "kubectl/v1 (x)" : undefined) } },
  } as unknown as ResourceContext;
  const silent = { request: { headers: { get: () => undefined } } } as unknown as ResourceContext;
  expect([managerOf("me", context), managerOf("", context)]).toEqual(["me", "kubectl"]);
  expect(managerOf("me", silent)).toBe("me");
});
