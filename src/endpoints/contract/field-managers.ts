import type { Clock } from "../../apimachinery/clock.ts";
import { formatGroupVersion, parseGroupVersion } from "../../apimachinery/group-version.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject, MutableKubeObject } from "../../apimachinery/object-meta.ts";
import type { ApiResource } from "../../catalog/api-resource.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import { resourceFacts } from "../../catalog/resource-facts.ts";
import { storedAs } from "../../catalog/storage-version.ts";
import { type ApplyKind, builtinKind } from "../../patch/apply/apply-kind.ts";
import { allBut, type FieldFilter, only } from "../../patch/apply/field-filter.ts";
import { type FieldManager, fieldManager } from "../../patch/apply/field-manager.ts";
import { managerName } from "../../patch/apply/manager-name.ts";
import { fromUnstructured } from "../../patch/from-unstructured.ts";
import { defaultedObject } from "./defaulted-object.ts";
import type { ResourceScopes } from "./resource-scopes.ts";
import type { ResourceContext, ResourceScope } from "./scope.ts";

/** The field managers of a server, one for each endpoint that writes, made when they are first asked for. */
export class FieldManagers {
  readonly #catalog: Catalog;
  readonly #scopes: ResourceScopes;
  readonly #clock: Clock;
  readonly #managers = new WeakMap<ResourceScope, FieldManager>();

  constructor(catalog: Catalog, scopes: ResourceScopes, clock: Clock) {
    this.#catalog = catalog;
    this.#scopes = scopes;
    this.#clock = clock;
  }

  /** Keeps account of who owns what at this endpoint. */
  of(scope: ResourceScope): FieldManager {
    const known = this.#managers.get(scope);
    if (known !== undefined) return known;
    const made = this.#make(scope);
    this.#managers.set(scope, made);
    return made;
  }

  #make(scope: ResourceScope): FieldManager {
    const { resource, gvk, schema } = scope;
    const subresource = scope.subresource?.name ?? "";
    const kinds = new Map<string, ApplyKind | undefined>();
    return fieldManager({
      gvk,
      subresource,
      now: () => this.#clock.now(),
      filter: filterOf(scope),
      kindOf: (apiVersion) => {
        if (!kinds.has(apiVersion)) kinds.set(apiVersion, this.#kindAt(scope, apiVersion));
        return kinds.get(apiVersion);
      },
      convert: (object, apiVersion) => this.#convert(resource, object, apiVersion),
      complete: (object) => defaultedObject(fromUnstructured(schema, object).object, gvk, scope),
    });
  }

  /**
   * The same resource in another version, or in the other group that it lives in. The core group is installed by itself and
   * knows no types of others, nor do they know its own.
   */
  #inVersion(resource: ApiResource, apiVersion: string): ApiResource | undefined {
    const gv = parseGroupVersion(apiVersion);
    const found = gv && this.#catalog.resource({ ...gv, resource: resource.resource });
    if (found === undefined || (found.group === "") !== (resource.group === "")) return undefined;
    return storedAs(found).group === storedAs(resource).group ? found : undefined;
  }

  /** A subresource of another kind, such as Scale, has the one version of that kind. */
  #kindAt(scope: ResourceScope, apiVersion: string): ApplyKind | undefined {
    const { gvk, schema, resource } = scope;
    if (gvk.kind === resource.kind) return this.#kindOf(resource, apiVersion);
    return apiVersion === formatGroupVersion(gvk) ? builtinKind(schema, gvk) : undefined;
  }

  #kindOf(resource: ApiResource, apiVersion: string): ApplyKind | undefined {
    const found = this.#inVersion(resource, apiVersion);
    const schema = found && this.#catalog.kind(found);
    return found && schema && builtinKind(schema, found);
  }

  #convert(resource: ApiResource, object: JsonObject, apiVersion: string): JsonObject | undefined {
    const from = this.#inVersion(resource, String(object["apiVersion"]));
    const to = this.#inVersion(resource, apiVersion);
    const fromScope = from && this.#scopes.of(from, undefined);
    const toScope = to && this.#scopes.of(to, undefined);
    // Objects of these scopes have all that an object has to have.
    return toScope?.convert(fromScope?.convertToStored({ ...object } as MutableKubeObject) as KubeObject);
  }
}

function filterOf({ resource, subresource, ownedFields }: ResourceScope): FieldFilter {
  if (ownedFields !== undefined) return only(ownedFields);
  return allBut(resourceFacts(resource).resetFields.get(subresource?.name ?? "main") ?? []);
}

/** The name under which a request owns what it writes. */
export function managerOf(fieldManagerParameter: string, { request }: ResourceContext): string {
  return managerName(fieldManagerParameter, request.headers.get("user-agent") ?? "");
}
