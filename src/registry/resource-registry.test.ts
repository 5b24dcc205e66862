import { describe, expect, test } from "vitest";
import { toyKinds, widgets } from "../../test/cluster/toy-kinds.ts";
import { registryAccess } from "../../test/registry/registry-access.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import { completeOptions } from "../cluster/options.ts";
import { servedState } from "../cluster/served-state.ts";
import { builtInKinds } from "../kinds/kinds.ts";
import { ApiView } from "../served/api-view.ts";
import { type KindSource, ServedApi } from "../served/served-api.ts";
import { Store } from "../store/store.ts";
import type { KindDefinition } from "./contract/kind-definition.ts";
import { labelsOf } from "./contract/selection-predicate.ts";
import type { StorageCodec } from "./contract/storage-codec.ts";
import { stampRevision } from "./contract/system-fields.ts";
import type { ResourceRegistry } from "./resource-registry.ts";

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

/** A registry with Widgets in v1, which is stored, and v2. */
function registryWith(source: KindSource<KindDefinition>): ResourceRegistry {
  const config = completeOptions({ release: "1.32", seed: 1 });
  const { clock, historyMilliseconds, historyBytes, watchCapacity } = config;
  const retention = { historyMilliseconds, historyBytes, watchCapacity };
  const store = new Store<KubeObject>({ clock, ...retention, stamp: stampRevision, labelsOf });
  const definition = { ...widgets(["v1", "v2"]), metadata: { name: "widgets.example.com" } };
  const value = { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition", ...definition };
  const path = "/registry/apiextensions.k8s.io/customresourcedefinitions/widgets.example.com";
  void store.guaranteedUpdate(path, () => ({ type: "put", value }));
  const served = new ServedApi(ApiView.ofRelease(config.catalog, builtInKinds), store, [source]);
  return servedState(store, served, config, registryAccess(clock)).registry;
}

describe.each(["", "status"])("the verbs of a resource, subresource %j,", (subresource) => {
  test("are those of the stored version without a codec", () => {
    const rest = registryWith(toyKinds).rest(widgetsIn("v2"), subresource);
    expect([rest?.definition.gvk.version, rest?.codec]).toEqual(["v1", undefined]);
  });

  test("are those of the requested version with a codec", () => {
    const rest = registryWith(decodedKinds).rest(widgetsIn("v2"), subresource);
    expect([rest?.definition.gvk.version, rest?.codec]).toEqual(["v2", codec]);
  });
});

test.each([
  ["a resource", { group: "", version: "v1", resource: "unknown" }, ""],
  ["a version", widgetsIn("v3"), ""],
  ["a subresource", widgetsIn("v1"), "unknown"],
  ["a subresource of a kind that is not stored", accessReviews, "status"],
])("there are no verbs of %s that the server does not have", (_title, gvr, subresource) => {
  expect(registryWith(toyKinds).rest(gvr, subresource)).toBeUndefined();
});
