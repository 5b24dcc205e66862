import type { GroupVersion } from "../../apimachinery/group-version.ts";
import { parseGroupVersion } from "../../apimachinery/group-version.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import { minorOf } from "../../catalog/release.ts";
import { OpenApiDefinitions } from "./openapi-definitions.ts";
import { groupOperation, resourceListOperation, rootOperations } from "./openapi-nonresource-operations.ts";
import type { OpenApiOperation } from "./openapi-operation.ts";
import { pathOf, resourceOperations } from "./openapi-operations.ts";
import { swagger } from "./openapi-v2.ts";
import { openApi3 } from "./openapi-v3.ts";

/** What has been made of one catalog. */
interface Documents {
  v2: JsonObject | undefined;
  definitions: OpenApiDefinitions | undefined;
  paths: readonly string[] | undefined;
  readonly v3: Map<string, JsonObject>;
}

const documents = new WeakMap<Catalog, Documents>();

function documentsOf(catalog: Catalog): Documents {
  let known = documents.get(catalog);
  if (known === undefined) {
    known = { v2: undefined, definitions: undefined, paths: undefined, v3: new Map() };
    documents.set(catalog, known);
  }
  return known;
}

/** The document of `/openapi/v2`: everything the catalog serves. The same object for the same catalog. */
export function openApiV2(catalog: Catalog): JsonObject {
  const known = documentsOf(catalog);
  known.v2 ??= swagger(catalog, allOperations(catalog), infoOf(catalog));
  return known.v2;
}

/**
 * The paths that `/openapi/v3` lists, sorted: `api/v1`, `apis/apps/v1`, `version` and so on. None before 1.24, whose
 * servers had OpenAPI 3 only behind a gate that was off.
 */
export function openApiV3Paths(catalog: Catalog): readonly string[] {
  const known = documentsOf(catalog);
  known.paths ??= minorOf(catalog.release) < 24 ? [] : v3Paths(catalog);
  return known.paths;
}

/** The document of `/openapi/v3/{path}`; undefined for a path that is not listed. The same object for the same catalog. */
export function openApiV3(catalog: Catalog, path: string): JsonObject | undefined {
  const known = documentsOf(catalog);
  const made = known.v3.get(path);
  if (made !== undefined) return made;
  if (!openApiV3Paths(catalog).includes(path)) return undefined;
  known.definitions ??= new OpenApiDefinitions(catalog, "v3");
  const document = openApi3(
    known.definitions,
    minorOf(catalog.release),
    operationsAt(catalog, path),
    infoOf(catalog),
  );
  known.v3.set(path, document);
  return document;
}

function infoOf(catalog: Catalog): JsonObject {
  return { title: "Kubernetes", version: `v${catalog.release}.0` };
}

function v3Paths(catalog: Catalog): readonly string[] {
  const versions = catalog.groupVersions().map((gv) => pathOf(gv).slice("/".length));
  const groups = groupsOf(catalog).map((group) => `apis/${group}`);
  return [...rootOperations(catalog).keys(), ...groups, ...versions].sort();
}

/** The groups but for the core group, which has no path of its own. */
function groupsOf(catalog: Catalog): readonly string[] {
  return [...new Set(catalog.groupVersions().map(({ group }) => group))].filter((group) => group !== "");
}

function operationsAt(catalog: Catalog, path: string): readonly OpenApiOperation[] {
  const root = rootOperations(catalog).get(path);
  if (root !== undefined) return [root];
  const [prefix = "", group = "", version] = path.split("/");
  if (prefix === "apis" && version === undefined) return [groupOperation(catalog, group)];
  const gv = parseGroupVersion(path.slice(prefix.length + "/".length));
  return gv === undefined ? [] : versionOperations(catalog, gv);
}

function versionOperations(catalog: Catalog, gv: GroupVersion): readonly OpenApiOperation[] {
  return [resourceListOperation(catalog, gv), ...resourceOperations(catalog, gv)];
}

function allOperations(catalog: Catalog): readonly OpenApiOperation[] {
  return [
    ...rootOperations(catalog).values(),
    ...groupsOf(catalog).map((group) => groupOperation(catalog, group)),
    ...catalog.groupVersions().flatMap((gv) => versionOperations(catalog, gv)),
  ];
}
