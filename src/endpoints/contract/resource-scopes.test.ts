import { beforeAll, describe, expect, test } from "vitest";
import { viewOf } from "../../../test/api-view.ts";
import type { GroupVersionResource } from "../../apimachinery/group-version.ts";
import type { Release } from "../../apimachinery/release.ts";
import { featureGates } from "../../catalog/feature-gates.ts";
import type { Rest } from "../../registry/contract/rest.ts";
import type { StorageCodec } from "../../registry/contract/storage-codec.ts";
import { Kinds } from "../../registry/kinds.ts";
import type { ResourceRegistry } from "../../registry/resource-registry.ts";
import type { ServedApi } from "../../served/served-api.ts";
import { ResourceScopes } from "./resource-scopes.ts";

const deployments = { group: "apps", version: "v1", resource: "deployments" };
const scalers = { group: "autoscaling", version: "v1", resource: "horizontalpodautoscalers" };
const coreEvents = { group: "", version: "v1", resource: "events" };
const newEvents = { group: "events.k8s.io", version: "v1", resource: "events" };
const pods = { group: "", version: "v1", resource: "pods" };

interface Endpoint {
  readonly release?: Release;
  readonly subresource?: string;
  /** The verbs, or none. */
  readonly rest?: Partial<Rest> | "none";
  /** The version in which the objects are stored, if it is another one. */
  readonly stored?: string;
}

/** The scope of an endpoint, with how often it was looked for in the registry. */
async function scopeOf(
  gvr: GroupVersionResource,
  { release = "1.32", subresource, rest = {}, stored }: Endpoint = {},
) {
  const view = viewOf({ release });
  const resource = view.resource(gvr) ?? expect.unreachable(`${release} serves it`);
  const version = stored ?? gvr.version;
  const gvk = { group: gvr.group, version, kind: resource.kind };
  const definition = { gvk, schema: view.kind(gvk), groupResource: gvr };
  let asked = 0;
  const registry = {
    rest: () => {
      asked += 1;
      return rest === "none" ? undefined : ({ definition, ...rest } as unknown as Rest);
    },
  } as unknown as ResourceRegistry; // The scopes ask for nothing else.
  const served = { current: view } as unknown as ServedApi;
  const kinds = new Kinds({ current: view });
  await kinds.load(resource);
  const scopes = new ResourceScopes(served, registry, kinds, featureGates(release));
  const below = subresource === undefined ? undefined : resource.subresources.get(subresource);
  const scope = scopes.of(resource, below);
  expect(scopes.of(resource, below)).toBe(scope);
  expect(asked).toBe(1);
  return scope;
}

const known = async (gvr: GroupVersionResource, endpoint?: Endpoint) =>
  (await scopeOf(gvr, endpoint)) ?? expect.unreachable("the registry has verbs");

// The scopes only ask whether there is such a verb.
const verb = async () => expect.unreachable("nothing is written");
const create: NonNullable<Rest["create"]> = verb;
const update: NonNullable<Rest["update"]> = verb;

// The first use of a kind loads its rules, which takes longer than the tests.
beforeAll(async () => {
  const view = viewOf({ release: "1.32" });
  const kinds = new Kinds({ current: view });
  for (const gvr of [deployments, scalers, coreEvents, pods]) await kinds.load(gvr);
});

describe("the scope of an endpoint", () => {
  test("is made once, and is missing without verbs", async () => {
    expect(await scopeOf(deployments, { rest: "none" })).toBeUndefined();
    expect(await known(deployments)).toMatchObject({
      resource: deployments,
      subresource: undefined,
      gvk: { group: "apps", version: "v1", kind: "Deployment" },
      gates: { isEnabled: expect.any(Function) },
    });
  });

  test("of a subresource has its kind and its own bytes of objects with links", async () => {
    const scale = await known(deployments, { subresource: "scale" });
    expect([scale.gvk.kind, scale.subresource?.name, scale.listSchema]).toEqual([
      "Scale",
      "scale",
      undefined,
    ]);
    const formOf = async (release: Release, subresource?: string) =>
      (await known(deployments, { release, ...(subresource !== undefined && { subresource }) })).forms.json;
    expect(await formOf("1.32", "status")).toBe(await formOf("1.32"));
    expect(await formOf("1.19", "status")).not.toBe(await formOf("1.19"));
    expect((await known(deployments)).listSchema).toBeDefined();
  });

  test("has the formats of built-in kinds, and links up to 1.19", async () => {
    expect((await known(deployments)).formats.objects.mediaTypes).toContain(
      "application/vnd.kubernetes.protobuf",
    );
    expect((await known(deployments)).selfLinkOf).toBeUndefined();
    const { selfLinkOf, shownConversion, storedConversion } = await known(deployments, { release: "1.19" });
    const object = { kind: "Deployment", apiVersion: "apps/v1", metadata: { name: "d", namespace: "n" } };
    expect(selfLinkOf?.(object)).toBe("/apis/apps/v1/namespaces/n/deployments/d");
    expect([storedConversion.isIdentity, shownConversion.isIdentity]).toEqual([true, false]);
  });

  test.each<[string, Partial<Rest>, string | undefined, boolean]>([
    ["what creates", { create }, undefined, true],
    ["what updates its kind", { update }, undefined, true],
    ["what updates the status", { update }, "status", true],
    ["what updates a Scale", { update }, "scale", true],
    ["what is only read", {}, undefined, false],
  ])("tracks the fields of %s: %#", async (_title, rest, subresource, isTracked) => {
    const scope = await known(deployments, { rest, ...(subresource !== undefined && { subresource }) });
    expect(scope.tracksFields).toBe(isTracked);
  });

  test("tracks no fields of another kind that is only updated", async () => {
    expect((await known(pods, { rest: { update }, subresource: "eviction" })).tracksFields).toBe(false);
    expect((await known(pods, { rest: { create }, subresource: "eviction" })).tracksFields).toBe(true);
  });

  test("has the defaults of each version of its kind", async () => {
    const { defaultsOf } = await known(deployments);
    expect(defaultsOf({ group: "apps", version: "v1", kind: "Deployment" })).toBeTypeOf("function");
    expect(defaultsOf({ group: "apps", version: "v9", kind: "Deployment" })).toBeUndefined();
    const scale = await known(deployments, { subresource: "scale" });
    expect(scale.defaultsOf({ group: "apps", version: "v1", kind: "Deployment" })).toBeUndefined();
  });

  test("converts between the stored version and its own", async () => {
    const scope = await known(scalers, { stored: "v2" });
    expect(scope.conversion.isIdentity).toBe(false);
    expect(scope.conversionOf(scope.gvk)).toBeDefined();
    expect(scope.conversionOf({ ...scope.gvk, version: "v9" })).toBeUndefined();
    const scale = await known(deployments, { subresource: "scale" });
    expect(scale.conversionOf({ group: "apps", version: "v1", kind: "Deployment" })).toBeUndefined();
  });

  test("reads what a codec has stored, except in subresources of another kind", async () => {
    const codec = {
      isRemote: true,
      decode: () => [],
      fromStored: () => expect.unreachable(),
    } as unknown as StorageCodec;
    const scope = await known(deployments, { rest: { codec } });
    expect(scope.conversionOf(scope.gvk)).toBe(codec);
    expect(scope.storedConversion).toMatchObject({ isIdentity: false, isRemote: true });
    const scale = await known(deployments, { rest: { codec }, subresource: "scale" });
    expect(scale.storedConversion).toBe(scale.conversion);
    expect((await known(deployments)).storedConversion.isRemote).toBeUndefined();
  });

  test("has the field labels of its group", async () => {
    const core = await known(coreEvents);
    expect(core.fieldSelectors.convert("involvedObject.name", "x")).toEqual(["involvedObject.name", "x"]);
    expect(() => core.fieldSelectors.convert("regarding.name", "x")).toThrow();
    const other = await known(newEvents);
    expect(other.fieldSelectors.convert("regarding.name", "x")).toEqual(["involvedObject.name", "x"]);
  });

  test("loads the printer of its kind, if it has one", async () => {
    expect(await (await known(deployments)).loadPrinter()).toBeDefined();
    const limits = await known({ group: "", version: "v1", resource: "limitranges" });
    expect(await limits.loadPrinter()).toBeUndefined();
  });
});
