import type { GroupVersion } from "../../apimachinery/group-version.ts";
import { parseGroupVersion } from "../../apimachinery/group-version.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import { type Since, sinceOf } from "../../apimachinery/release.ts";
import type { ApiView } from "../api-view.ts";
import { OpenApiDefinitions, type OpenApiEnums } from "./openapi-definitions.ts";
import { groupOperation, resourceListOperation, rootOperations } from "./openapi-nonresource-operations.ts";
import type { OpenApiOperation } from "./openapi-operation.ts";
import { pathOf, resourceOperations } from "./openapi-operations.ts";
import { swagger } from "./openapi-v2.ts";
import { openApi3 } from "./openapi-v3.ts";

/**
 * The OpenAPI documents of a view of the API, each created on first use. A view shares the parts that declared kinds do
 * not change with the view of its release.
 */
export class OpenApiDocuments {
  readonly #view: ApiView;
  readonly #enums: OpenApiEnums;
  readonly #since: Since;
  readonly #v3 = new Map<string, JsonObject>();
  #v2: JsonObject | undefined;
  #definitions: OpenApiDefinitions | undefined;
  #paths: readonly string[] | undefined;

  constructor(view: ApiView, enums: OpenApiEnums) {
    this.#view = view;
    this.#enums = enums;
    this.#since = sinceOf(view.release);
  }

  /** The document of `/openapi/v2`: everything that is served. */
  v2(): JsonObject {
    this.#v2 ??= swagger(this.#view.catalog, this.#allOperations(), this.#info(), this.#enums);
    return this.#v2;
  }

  /**
   * The paths that `/openapi/v3` lists, sorted: `api/v1`, `apis/apps/v1`, `version` and so on. Releases before 1.24 have
   * none: they served OpenAPI 3 only behind a gate that was off.
   */
  get v3Paths(): readonly string[] {
    this.#paths ??= this.#since("1.24") ? this.#allPaths() : [];
    return this.#paths;
  }

  /** Whether the document of a path is about declared kinds. */
  isDeclared(path: string): boolean {
    const { builtIn } = this.#view;
    return this.#view !== builtIn && !openApiDocuments(builtIn, this.#enums).v3Paths.includes(path);
  }

  /** The document of `/openapi/v3/{path}`; undefined for a path that is not listed. */
  v3(path: string): JsonObject | undefined {
    const known = this.#v3.get(path);
    if (known !== undefined) return known;
    if (!this.v3Paths.includes(path)) return undefined;
    const document = this.#makeV3(path);
    if (document !== undefined) this.#v3.set(path, document);
    return document;
  }

  /** The documents of the groups and versions of declared kinds, whether or not `/openapi/v3` is served. */
  declared(): readonly JsonObject[] {
    const declared = this.#view.groupVersions().filter((gv) => !this.#view.isBuiltIn(gv));
    return declared.map((gv) => {
      const path = pathOf(gv).slice("/".length);
      return this.v3(path) ?? this.#document(path);
    });
  }

  #makeV3(path: string): JsonObject | undefined {
    const { builtIn } = this.#view;
    if (this.#view !== builtIn && !this.isDeclared(path))
      return openApiDocuments(builtIn, this.#enums).v3(path);
    return this.#document(path);
  }

  #document(path: string): JsonObject {
    this.#definitions ??= new OpenApiDefinitions(this.#view.catalog, "v3", this.#enums);
    return openApi3(this.#definitions, this.#since, this.#operationsAt(path), this.#info());
  }

  #info(): JsonObject {
    const { release, version } = this.#view.catalog;
    // From 1.31 on, the document has the emulated release (apiserver, pkg/server/config.go, completeOpenAPI).
    return { title: "Kubernetes", version: this.#since("1.31") ? version.emulation : `v${release}.0` };
  }

  #allPaths(): readonly string[] {
    const versions = this.#view.groupVersions().map((gv) => pathOf(gv).slice("/".length));
    const groups = this.#groups().map((group) => `apis/${group}`);
    return [...rootOperations(this.#view.catalog).keys(), ...groups, ...versions].sort();
  }

  /** The groups that have a document: not the core group, which has no path under `apis`, and no groups with only declared kinds. */
  #groups(): readonly string[] {
    const groups = this.#view.builtIn.groupVersions().map(({ group }) => group);
    return [...new Set(groups)].filter((group) => group !== "");
  }

  #operationsAt(path: string): readonly OpenApiOperation[] {
    const { catalog } = this.#view;
    const root = rootOperations(catalog).get(path);
    if (root !== undefined) return [root];
    const [prefix = "", group = "", version] = path.split("/");
    if (prefix === "apis" && version === undefined) return [groupOperation(catalog, group)];
    const gv = parseGroupVersion(path.slice(prefix.length + "/".length));
    return gv === undefined ? [] : this.#versionOperations(gv);
  }

  #versionOperations(gv: GroupVersion): readonly OpenApiOperation[] {
    const operations = resourceOperations(this.#view, gv);
    // The documents of custom resources do not describe discovery.
    if (!this.#view.isBuiltIn(gv)) return operations;
    return [resourceListOperation(this.#view.catalog, gv), ...operations];
  }

  #allOperations(): readonly OpenApiOperation[] {
    const { catalog } = this.#view;
    return [
      ...rootOperations(catalog).values(),
      ...this.#groups().map((group) => groupOperation(catalog, group)),
      ...this.#view.groupVersions().flatMap((gv) => this.#versionOperations(gv)),
    ];
  }
}

/** The documents of a view; the same object for the same view. */
export function openApiDocuments(view: ApiView, enums: OpenApiEnums = "with enums"): OpenApiDocuments {
  return view.derived(enums === "with enums" ? documentsWithEnums : documentsWithoutEnums);
}

function documentsWithEnums(view: ApiView): OpenApiDocuments {
  return new OpenApiDocuments(view, "with enums");
}

function documentsWithoutEnums(view: ApiView): OpenApiDocuments {
  return new OpenApiDocuments(view, "without enums");
}
