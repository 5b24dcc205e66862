import { beforeAll, describe, expect, test } from "vitest";
import type { ObjectVersion } from "../../src/admission/contract/object-interfaces.ts";
import { VirtualClock } from "../../src/apimachinery/clock.ts";
import { DecodeError } from "../../src/apimachinery/decode-error.ts";
import type { JsonObject } from "../../src/apimachinery/json.ts";
import type { KubeObject } from "../../src/apimachinery/object-meta.ts";
import { completeOptions } from "../../src/cluster/options.ts";
import { servedApi, servedState } from "../../src/cluster/served-state.ts";
import { admittedVersions } from "../../src/endpoints/requests/admitted-versions.ts";
import { revisionPlaceholder } from "../../src/registry/generic/seal.ts";
import { Store } from "../../src/store/store.ts";
import { registryAccess } from "../registry/registry-access.ts";

const config = completeOptions({ release: "1.24", clock: new VirtualClock(0) });
const store = new Store<KubeObject>({ ...config, stamp: (object) => object, labelsOf: () => ({}) });
const { served, kinds, scopes } = servedState(
  store,
  servedApi(store, config),
  config,
  registryAccess(config.clock),
);
const versions = admittedVersions(served, scopes);

function at(group: string, version: string, resource: string, kind: string, subresource = ""): ObjectVersion {
  return { gvr: { group, version, resource }, gvk: { group, version, kind }, subresource };
}

const scalerAt = (version: string, subresource = "") =>
  at("autoscaling", version, "horizontalpodautoscalers", "HorizontalPodAutoscaler", subresource);
const maps = at("", "v1", "configmaps", "ConfigMap");
const exec = at("", "v1", "pods", "PodExecOptions", "exec");
const deployments = at("apps", "v1", "deployments", "Deployment");
const named = ({ gvr: { group, version, resource }, gvk, subresource }: ObjectVersion) =>
  [`${group}/${version}`, resource, subresource, `${gvk.group}/${gvk.version}`, gvk.kind].join(" ");

beforeAll(async () => {
  for (const { gvr } of [scalerAt("v1"), maps, exec, deployments]) {
    const resource = served.current.resource(gvr);
    if (resource !== undefined) await kinds.load(resource);
  }
});

const scaler = (version: string, spec: JsonObject): KubeObject => ({
  kind: "HorizontalPodAutoscaler",
  apiVersion: `autoscaling/${version}`,
  metadata: { name: "a" },
  spec: { maxReplicas: 3, scaleTargetRef: { kind: "Deployment", name: "d" }, ...spec },
});

describe("the versions with the same objects", () => {
  test.each([
    [scalerAt("v2"), ["v1", "v2beta1", "v2beta2"], "HorizontalPodAutoscaler", ""],
    [scalerAt("v1", "status"), ["v2", "v2beta1", "v2beta2"], "HorizontalPodAutoscaler", "status"],
  ])("of %j are the others that are served", (version, others, kind, subresource) => {
    expect(versions.equivalentsOf(version).map(named).sort()).toEqual(
      others
        .map((name) => named({ ...scalerAt(name, subresource), gvk: { ...scalerAt(name).gvk, kind } }))
        .sort(),
    );
  });

  test("are those of another group as well", () => {
    expect(
      versions
        .equivalentsOf(at("", "v1", "events", "Event"))
        .map(named)
        .sort(),
    ).toEqual([
      "events.k8s.io/v1 events  events.k8s.io/v1 Event",
      "events.k8s.io/v1beta1 events  events.k8s.io/v1beta1 Event",
    ]);
  });

  test("are none of resources with the same name, nor of subresources that the others lack", () => {
    expect(versions.equivalentsOf(maps)).toEqual([]);
    expect(versions.equivalentsOf(scalerAt("v2", "scale"))).toEqual([]);
  });

  test("have the kind of the subresource", () => {
    const scale = at("apps", "v1", "deployments", "Scale", "scale");
    expect(versions.equivalentsOf(scale)).toEqual([]);
    expect(
      versions.equivalentsOf(at("extensions", "v1beta1", "deployments", "Scale", "scale")).map(named),
    ).toEqual(["apps/v1 deployments scale autoscaling/v1 Scale"]);
  });
});

describe("objects in another version", () => {
  test("have the fields of that version", async () => {
    const object = scaler("v1", { targetCPUUtilizationPercentage: 50 });
    const [converted] = await versions.convert([object], scalerAt("v1"), scalerAt("v2"), "canonical");
    const target = { averageUtilization: 50, type: "Utilization" };
    expect(converted).toMatchObject({
      apiVersion: "autoscaling/v2",
      metadata: { name: "a" },
      spec: { metrics: [{ type: "Resource", resource: { name: "cpu", target } }] },
    });
    expect(object.metadata).toEqual({ name: "a" });
  });

  test("are the same ones in the same version, in the form in which clients see them", async () => {
    const object = scaler("v2", { metrics: null });
    const [same] = await versions.convert([object], scalerAt("v2"), scalerAt("v2"), "canonical");
    expect(same).toBe(object);
    const [shown] = await versions.convert([object], scalerAt("v2"), scalerAt("v2"), "decoded");
    expect(shown?.["spec"]).not.toHaveProperty("metrics");
  });

  test("are not converted where the version is the same, since conversions may fill in fields", async () => {
    const object = scaler("v1", {});
    const [shown] = await versions.convert([object], scalerAt("v1"), scalerAt("v1"), "decoded");
    expect(shown?.["spec"]).toEqual(object["spec"]);
  });

  test("have no revision as long as they are new", async () => {
    const placed = { name: "m", uid: "1", resourceVersion: revisionPlaceholder };
    const shown = async (metadata: KubeObject["metadata"]) => {
      const object = { kind: "ConfigMap", apiVersion: "v1", metadata };
      return (await versions.convert([object], maps, maps, "canonical"))[0]?.metadata;
    };
    expect(await shown(placed)).toEqual({ name: "m", uid: "1" });
    expect(await shown({ ...placed, resourceVersion: "7" })).toEqual({ ...placed, resourceVersion: "7" });
    const { uid: _, ...without } = placed;
    expect(await shown(without)).toEqual(without);
  });

  test("are the options of a connection without metadata", async () => {
    const options = { kind: "PodExecOptions", apiVersion: "v1", metadata: {}, container: "c" };
    expect(await versions.convert([options], exec, exec, "canonical")).toEqual([
      { kind: "PodExecOptions", apiVersion: "v1", container: "c" },
    ]);
  });

  test("are none of what is not served", () => {
    const other = at("example.com", "v1", "gadgets", "Gadget");
    expect(() => versions.convert([], other, other, "decoded")).toThrow(
      "gadgets of example.com/v1 is not served",
    );
  });
});

describe("a document that a patch has left", () => {
  const text = JSON.stringify({ kind: "ConfigMap", apiVersion: "v1", data: { a: "b" }, zork: 1 });

  test("has the type of its version, and says which fields it does not have", () => {
    const { object, strictErrors } = versions.decode(text, maps);
    expect(object).toEqual({ kind: "ConfigMap", apiVersion: "v1", metadata: {}, data: { a: "b" } });
    expect(strictErrors).toEqual(['unknown field "zork"']);
  });

  test("is refused if its fields have other types", () => {
    expect(() => versions.decode('{"kind":"ConfigMap","apiVersion":"v1","data":1}', maps)).toThrow(
      DecodeError,
    );
    expect(() => versions.decode('{"kind":"Zork","apiVersion":"v1"}', maps)).toThrow(DecodeError);
  });

  test("gets its type back after a merge", () => {
    const merged = { kind: "ConfigMap", apiVersion: "v1", data: { a: "b" } };
    expect(versions.fromUnstructured(merged, maps)).toEqual({ ...merged, metadata: {} });
  });
});

describe("what apply knows about a kind", () => {
  test("is the same for each request", () => {
    expect(versions.applyKindOf(maps)).toBeDefined();
    expect(versions.applyKindOf(maps)).toBe(versions.applyKindOf(maps));
  });

  test.each([
    ["the options of a connection", exec],
    ["a Scale", at("apps", "v1", "deployments", "Scale", "scale")],
  ])("is nothing of %s", (_title, version) => {
    const { subresource, gvr } = version;
    const gvk = served.current.resource(gvr)?.subresources.get(subresource)?.gvk ?? version.gvk;
    expect(versions.applyKindOf({ ...version, gvk })).toBeUndefined();
  });
});

test("defaults are those of the version", () => {
  const object = { kind: "Deployment", apiVersion: "apps/v1", metadata: {}, spec: {} as JsonObject };
  versions.setDefaults(object, deployments);
  expect(object.spec).toMatchObject({ replicas: 1, revisionHistoryLimit: 10 });
});
