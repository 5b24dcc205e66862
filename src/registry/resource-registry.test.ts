import { describe, expect, test } from "vitest";
import { toyKinds, widgets } from "../../test/cluster/toy-kinds.ts";
import { registryAccess } from "../../test/registry/registry-access.ts";
import { writeOptions } from "../../test/registry/stored-config-maps.ts";
import type { GroupVersionResource } from "../apimachinery/group-version.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { Release } from "../apimachinery/release.ts";
import { completeOptions } from "../cluster/options.ts";
import { type ServedState, servedState } from "../cluster/served-state.ts";
import { builtInKinds } from "../kinds/kinds.ts";
import { ApiView } from "../served/api-view.ts";
import { type KindSource, ServedApi } from "../served/served-api.ts";
import { Store } from "../store/store.ts";
import type { KindDefinition, KindRules, RefineStrategy } from "./contract/kind-definition.ts";
import type { Rest } from "./contract/rest.ts";
import { labelsOf } from "./contract/selection-predicate.ts";
import type { StorageCodec } from "./contract/storage-codec.ts";
import { stampRevision } from "./contract/system-fields.ts";

const accessReviews = { group: "authorization.k8s.io", version: "v1", resource: "subjectaccessreviews" };
const widgetsIn = (version: string) => ({ group: "example.com", version, resource: "widgets" });

/** Stores objects as they are. */
const codec: StorageCodec = {
  decode: (stored) => stored,
  encode: (object) => object,
  convert: (objects) => objects,
  isRemote: false,
};

/** Every kind at run time has a codec. */
const decodedKinds: KindSource<KindDefinition> = {
  ...toyKinds,
  kindsOf: (objects, catalog) =>
    toyKinds.kindsOf(objects, catalog).map((kind) => ({ ...kind, codecOf: () => codec })),
};

/** The state with Widgets in v1, which is stored, and v2. */
function stateWith(source: KindSource<KindDefinition>, release: Release = "1.32"): ServedState {
  const config = completeOptions({ release, seed: 1 });
  const { clock, historyMilliseconds, historyBytes, watchCapacity } = config;
  const retention = { historyMilliseconds, historyBytes, watchCapacity };
  const store = new Store<KubeObject>({ clock, ...retention, stamp: stampRevision, labelsOf });
  const definition = { ...widgets(["v1", "v2"]), metadata: { name: "widgets.example.com" } };
  const value = { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition", ...definition };
  const path = "/registry/apiextensions.k8s.io/customresourcedefinitions/widgets.example.com";
  void store.guaranteedUpdate(path, () => ({ type: "put", value }));
  const served = new ServedApi(ApiView.ofRelease(config.catalog, builtInKinds), store, [source]);
  return servedState(store, served, config, registryAccess(clock));
}

/** The verbs of a resource or subresource that the state serves. */
function verbsOf(
  { registry, served }: Pick<ServedState, "registry" | "served">,
  gvr: GroupVersionResource,
  subresource: string,
): Rest | undefined {
  const resource = served.current.resource(gvr);
  return resource && registry.rest(resource, subresource);
}

describe.each(["", "status"])("the verbs of a resource, subresource %j,", (subresource) => {
  test("are those of the stored version without a codec", () => {
    const rest = verbsOf(stateWith(toyKinds), widgetsIn("v2"), subresource);
    expect([rest?.definition.gvk.version, rest?.codec]).toEqual(["v1", undefined]);
  });

  test("are those of the requested version with a codec", () => {
    const rest = verbsOf(stateWith(decodedKinds), widgetsIn("v2"), subresource);
    expect([rest?.definition.gvk.version, rest?.codec]).toEqual(["v2", codec]);
  });
});

test.each([
  ["a resource", { group: "", version: "v1", resource: "unknown" }, ""],
  ["a version", widgetsIn("v3"), ""],
  ["a subresource", widgetsIn("v1"), "unknown"],
  ["a subresource of a kind that is not stored", accessReviews, "status"],
])("there are no verbs of %s that the server does not have", (_title, gvr, subresource) => {
  expect(verbsOf(stateWith(toyKinds), gvr, subresource)).toBeUndefined();
});

test.each(["extensions", "networking.k8s.io"])(
  "a resource has the name of its group in the request: %s",
  async (group) => {
    const state = stateWith(toyKinds, "1.18");
    const ingresses = { group, version: "v1beta1", resource: "ingresses" };
    await state.kinds.load(ingresses);
    const rest = verbsOf(state, ingresses, "");
    expect(rest?.definition.groupResource).toEqual({ group, resource: "ingresses" });
    const key = { namespace: "n", name: "a" };
    await expect(rest?.update?.(key, () => expect.unreachable(), writeOptions())).rejects.toThrow(
      `ingresses.${group} "a" not found`,
    );
  },
);

test("a kind that is not stored has the verbs of its rules", async () => {
  const state = stateWith(toyKinds);
  await state.kinds.load(accessReviews);
  const rest = verbsOf(state, accessReviews, "");
  expect([rest?.definition.gvk.kind, typeof rest?.create, rest?.get]).toEqual([
    "SubjectAccessReview",
    "function",
    undefined,
  ]);
});

test("the stored objects are listed, and followed, for those who decide about requests", () => {
  const { registry, store } = stateWith(toyKinds);
  const configMaps = { group: "", resource: "configmaps" };
  const value = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "n" } };
  void store.guaranteedUpdate("/registry/configmaps/n/a", () => ({ type: "put", value }));
  expect(registry.get(configMaps, "n", "a")).toMatchObject(value);
  expect(registry.list(configMaps, "n")).toEqual([registry.get(configMaps, "n", "a")]);
  expect(registry.follow([configMaps]).next()?.changes).toHaveLength(1);
  expect(registry.authorization).toBeDefined();
  expect(registry.clientAuthorization).toBe(registry.authorization);
  expect(registry.roles).toBeDefined();
});

test("all requests for a resource share the object that was created last", async () => {
  const state = stateWith(toyKinds);
  const rests = [1, 2].map(() => verbsOf(state, { group: "", version: "v1", resource: "configmaps" }, ""));
  expect(rests[0]?.latest).toBeDefined();
  expect(rests[0]?.latest).toBe(rests[1]?.latest);
});

test("a service takes the endpoints of its name along", async () => {
  const state = stateWith(toyKinds);
  const { kinds, store } = state;
  const services = { group: "", version: "v1", resource: "services" };
  await kinds.load(services);
  const paths = ["services/specs/n/a", "services/endpoints/n/a", "services/endpoints/n/b"];
  for (const path of paths) {
    const value = { apiVersion: "v1", kind: "Thing", metadata: { name: "a", namespace: "n" } };
    void store.guaranteedUpdate(`/registry/${path}`, () => ({ type: "put", value }));
  }
  await verbsOf(state, services, "")?.delete?.({ namespace: "n", name: "a" }, writeOptions());
  const left = paths.filter((path) => store.get(`/registry/${path}`) !== undefined);
  expect(left).toEqual(["services/endpoints/n/b"]);
});

describe("the strategy of a version", () => {
  /** Widgets whose version v2 warns; the subresource notes the warnings of the strategy that it refines. */
  async function widgetsWith(more: Partial<KindDefinition>) {
    const seen: (string | undefined)[] = [];
    const refine: RefineStrategy = (base) => {
      seen.push(base.orphanWarning);
      return base;
    };
    const rules: KindRules = {
      versions: { "example.com/v2": { strategy: (base) => ({ ...base, orphanWarning: "v2" }) } },
      subresources: { status: { strategy: refine } },
    };
    const load = async () => rules;
    const known = new Map<KindDefinition, KindDefinition>();
    const withRules = (kind: KindDefinition) => {
      const changed = known.get(kind) ?? { ...kind, ...more, rules: load };
      known.set(kind, changed);
      return changed;
    };
    const source = {
      ...toyKinds,
      kindsOf: (...all: Parameters<typeof toyKinds.kindsOf>) => toyKinds.kindsOf(...all).map(withRules),
    };
    const state = stateWith(source);
    await state.kinds.load(widgetsIn("v2"));
    return { state, seen };
  }

  test("is that of the resource, with the rules of the version", async () => {
    const { state } = await widgetsWith({});
    const warningsOf = (version: string) => {
      const warnings: string[] = [];
      void verbsOf(state, widgetsIn(version), "")
        ?.delete?.({ namespace: "n", name: "a" }, writeOptions(warnings))
        .catch(() => {});
      return warnings;
    };
    expect([warningsOf("v1"), warningsOf("v2")]).toEqual([[], ["v2"]]);
  });

  test.each<[string, Partial<KindDefinition>, string | undefined]>([
    ["not that of a subresource, whose rules name its versions", {}, undefined],
    ["that of a subresource if the objects are decoded into the version", { codecOf: () => codec }, "v2"],
  ])("is %s", async (_title, more, expected) => {
    const { state, seen } = await widgetsWith(more);
    expect(verbsOf(state, widgetsIn("v2"), "status")).toBeDefined();
    expect(seen).toEqual([expected]);
  });
});
