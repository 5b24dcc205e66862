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

/**
 * Brings the objects of priority and fairness to what the release suggests, unless an administrator has changed them, and
 * since 1.22 removes those that it no longer knows. Upstream: pkg/registry/flowcontrol/ensurer/strategy.go.
 */
export function ensureFlowControl(seeds: readonly Seed[], objects: StoredObjects, since: Since): void {
  const wanted = seeds.filter((seed) => seed.group === group);
  for (const seed of wanted) {
    const stored = objects.get(seed, "", seed.object.metadata.name ?? "");
    const ensured = stored && ensuredObject(stored, seed.object, since);
    if (ensured !== undefined) objects.put(seed, ensured);
  }
  if (since("1.22")) removeUnknown(wanted, objects);
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

function removeUnknown(wanted: readonly Seed[], objects: StoredObjects): void {
  for (const resource of resources) {
    const known = new Set(
      wanted.filter((seed) => seed.resource === resource).map(({ object }) => object.metadata.name),
    );
    for (const { metadata } of objects.list({ group, resource }, "")) {
      const { name = "", annotations = {} } = metadata;
      const isAutomatic = booleans.get(annotations[autoUpdate] ?? "") === true;
      if (isAutomatic && !known.has(name)) objects.remove({ group, resource }, "", name);
    }
  }
}
