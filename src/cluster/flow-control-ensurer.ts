import { objectAt, structAt, textAt } from "../apimachinery/fields.ts";
import { jsonEqual } from "../apimachinery/json.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { Since } from "../apimachinery/release.ts";
import type { StoredObjects } from "../registry/stored-objects.ts";
import type { Seed } from "./bootstrap.ts";

const group = "flowcontrol.apiserver.k8s.io";
const resources: readonly string[] = ["flowschemas", "prioritylevelconfigurations"];
const autoUpdate = "apf.kubernetes.io/autoupdate-spec";

/** The objects that administrators cannot change (apiserver, pkg/apis/flowcontrol/bootstrap/default.go). */
const mandatory: ReadonlySet<string> = new Set(["exempt", "catch-all"]);

/** Go's `strconv.ParseBool`; undefined for other texts. */
const booleans: ReadonlyMap<string, boolean> = new Map([
  ...["1", "t", "T", "true", "TRUE", "True"].map((text) => [text, true] as const),
  ...["0", "f", "F", "false", "FALSE", "False"].map((text) => [text, false] as const),
]);

/** What has to be done to an object of priority and fairness. */
export type FlowControlChange =
  | { readonly type: "create"; readonly seed: Seed }
  | { readonly type: "update"; readonly seed: Seed; readonly object: KubeObject }
  | { readonly type: "remove"; readonly resource: string; readonly object: KubeObject };

/** Brings the objects of priority and fairness that there are to what the release suggests when a server starts. */
export function ensureFlowControl(seeds: readonly Seed[], objects: StoredObjects, since: Since): void {
  for (const change of flowControlChanges(seeds, objects, since)) {
    if (change.type === "update") objects.put(change.seed, change.object);
    if (change.type !== "remove") continue;
    objects.remove({ group, resource: change.resource }, "", change.object.metadata.name ?? "");
  }
}

/**
 * What brings the objects of priority and fairness to what the release suggests: those that are missing, those that differ, unless an
 * administrator has changed them, and since 1.22 those that the release no longer knows. Upstream:
 * pkg/registry/flowcontrol/ensurer/strategy.go.
 */
export function flowControlChanges(
  seeds: readonly Seed[],
  objects: StoredObjects,
  since: Since,
): readonly FlowControlChange[] {
  const wanted = seeds.filter((seed) => seed.group === group);
  const changes = wanted.flatMap((seed): readonly FlowControlChange[] => {
    if (objects.homeOf(seed) === undefined) return [];
    const stored = objects.get(seed, "", seed.object.metadata.name ?? "");
    if (stored === undefined) return [{ type: "create", seed }];
    const object = ensuredObject(stored, seed.object, since);
    return object === undefined ? [] : [{ type: "update", seed, object }];
  });
  return since("1.22") ? [...changes, ...removals(wanted, objects)] : changes;
}

/** Whether an object is one that administrators cannot change. */
export function isMandatory({ object }: Seed): boolean {
  return mandatory.has(object.metadata.name ?? "");
}

/** The object to store; undefined if it is up to date. */
function ensuredObject(stored: KubeObject, seed: KubeObject, since: Since): KubeObject | undefined {
  const { annotations = {}, generation = 0, name = "" } = stored.metadata;
  const noted = booleans.get(annotations[autoUpdate] ?? "");
  const updates = mandatory.has(name) || (noted ?? generation === 1);
  const spec = updates ? wantedSpec(stored, seed) : structAt(stored, "spec");
  const isChanged = !jsonEqual(structAt(stored, "spec"), spec);
  const isNoted = noted === updates || !since("1.22");
  if (!isChanged && isNoted) return undefined;
  const metadata = {
    ...stored.metadata,
    ...(isChanged && { generation: generation + 1 }),
    ...(!isNoted && { annotations: { ...annotations, [autoUpdate]: String(updates) } }),
  };
  return { ...stored, metadata, spec };
}

/** Administrators decide how an exempt level lends its seats. */
function wantedSpec(stored: KubeObject, seed: KubeObject) {
  const spec = structAt(seed, "spec");
  const exempt = objectAt(stored, "spec", "exempt");
  return textAt(seed, "spec", "type") === "Exempt" && exempt !== undefined ? { ...spec, exempt } : spec;
}

function removals(wanted: readonly Seed[], objects: StoredObjects): readonly FlowControlChange[] {
  return resources.flatMap((resource) => {
    const seeds = wanted.filter((seed) => seed.resource === resource);
    const known = new Set(seeds.map(({ object }) => object.metadata.name));
    return objects.list({ group, resource }, "").flatMap((object): readonly FlowControlChange[] => {
      const isAutomatic = booleans.get(object.metadata.annotations?.[autoUpdate] ?? "") === true;
      return isAutomatic && !known.has(object.metadata.name) ? [{ type: "remove", resource, object }] : [];
    });
  });
}
