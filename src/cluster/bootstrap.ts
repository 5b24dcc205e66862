import { parseGroupVersion } from "../apimachinery/group-version.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../apimachinery/json.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import { formatTime } from "../apimachinery/time.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { Identifiers } from "../registry/generic/system-fields.ts";
import type { ResourceRegistry } from "../registry/resource-registry.ts";
import { canonicalize } from "../schema/canonical.ts";
import { bootstrapPolicy } from "./bootstrap-policy.ts";
import freshCluster from "./generated/fresh-cluster.json?raw";

/** An object that every server makes for itself when it starts, in the order and shape in which it is stored. */
interface Seed {
  readonly resource: string;
  readonly group: string;
  readonly object: KubeObject;
}

const seeds = new WeakMap<Catalog, readonly Seed[]>();

/** Fills an empty cluster with what a server without controllers makes when it starts. */
export function bootstrap(
  catalog: Catalog,
  registry: ResourceRegistry,
  identifiers: Identifiers,
  now: number,
): void {
  const known = seeds.get(catalog) ?? seedsOf(catalog);
  seeds.set(catalog, known);
  const creationTimestamp = formatTime(now);
  for (const { group, resource, object } of known) {
    const metadata = { ...object.metadata, uid: identifiers.uid(), creationTimestamp };
    registry.plant({ group, resource }, { ...object, metadata });
  }
}

function seedsOf(catalog: Catalog): readonly Seed[] {
  const recorded: readonly (readonly [string, JsonObject])[] = [...recordedObjects(), ...bootstrapPolicy()];
  return recorded.flatMap(([path, object]) => seedOf(catalog, path, object) ?? []);
}

/** The recorded objects in the order in which the server made them. */
function recordedObjects(): readonly (readonly [path: string, object: JsonObject])[] {
  // Our own data; bootstrap.test.ts reads every entry.
  const recorded = JSON.parse(freshCluster) as { readonly [path: string]: readonly JsonObject[] };
  const objects = Object.entries(recorded).flatMap(([path, items]) =>
    path.startsWith("_") || path === "v1/componentstatuses"
      ? []
      : items.map((item): [string, JsonObject] => [path, item]),
  );
  return objects.toSorted(([, a], [, b]) => recordedRevision(a) - recordedRevision(b));
}

function recordedRevision(object: JsonObject): number {
  const { metadata } = object;
  return isJsonObject(metadata) ? Number(metadata["resourceVersion"]) : 0;
}

/** `path` is `apps/v1/deployments`; undefined when the release does not serve it. */
function seedOf(catalog: Catalog, path: string, object: JsonObject): Seed | undefined {
  const slash = path.lastIndexOf("/");
  const gv = parseGroupVersion(path.slice(0, slash));
  const resource = path.slice(slash + 1);
  const entry = gv && catalog.resource({ ...gv, resource });
  if (gv === undefined || entry === undefined) return undefined;
  const schema = catalog.kind({ ...gv, kind: entry.kind });
  if (schema === undefined) return undefined;
  const complete = {
    ...object,
    kind: entry.kind,
    apiVersion: path.slice(0, slash),
    metadata: seedMetadata(object["metadata"]),
  };
  // Canonicalizing keeps what every object has to have.
  return { resource, group: gv.group, object: canonicalize(schema, complete) as KubeObject };
}

/** The places of the fields that differ from cluster to cluster; what owns which field comes with field management. */
function seedMetadata(value: JsonValue | undefined): JsonObject {
  const { managedFields: _, ...metadata } = isJsonObject(value) ? value : {};
  return { ...metadata, uid: "0", resourceVersion: "0", creationTimestamp: "1970-01-01T00:00:00Z" };
}
