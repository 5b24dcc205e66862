import { type Awaitable, whenReady } from "../../apimachinery/awaitable.ts";
import type { Clock } from "../../apimachinery/clock.ts";
import { formatGroupVersion, parseGroupVersion } from "../../apimachinery/group-version.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject, MutableKubeObject } from "../../apimachinery/object-meta.ts";
import type { ApiResource } from "../../catalog/api-resource.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import { type ApplyKind, applyKind } from "../../patch/apply/apply-kind.ts";
import { allBut, type FieldFilter, only } from "../../patch/apply/field-filter.ts";
import { fieldManager } from "../../patch/apply/field-manager.ts";
import { managerName } from "../../patch/apply/manager-name.ts";
import type { Force } from "../../patch/apply/updater.ts";
import type { ServedApi } from "../../served/served-api.ts";
import { noteCompleteSpec, specApart, withSpec } from "./complete-spec.ts";
import { conversionBetween, convertObject, convertObjectToStored } from "./conversion.ts";
import { ConversionReplay } from "./conversion-replay.ts";
import { defaultedObject } from "./defaulted-object.ts";
import type { ResourceScopes } from "./resource-scopes.ts";
import type { ResourceContext, ResourceScope } from "./scope.ts";

/** A field manager whose objects may have to be converted by something that takes time. */
export interface EndpointFieldManager {
  update(
    live: KubeObject | undefined,
    object: MutableKubeObject,
    manager: string,
    latest?: KubeObject,
  ): Awaitable<MutableKubeObject>;
  /** @throws {StatusError} as `FieldManager.apply` does, perhaps as a rejection */
  apply(
    live: KubeObject | undefined,
    config: JsonObject,
    manager: string,
    force: Force,
  ): Awaitable<MutableKubeObject>;
}

/** The field managers of a server, one for each endpoint that writes, made when they are first needed. */
export class FieldManagers {
  readonly #served: ServedApi;
  readonly #scopes: ResourceScopes;
  readonly #clock: Clock;
  readonly #gates: FeatureGates;
  readonly #managers = new WeakMap<ResourceScope, EndpointFieldManager>();

  constructor(served: ServedApi, scopes: ResourceScopes, clock: Clock, gates: FeatureGates) {
    this.#served = served;
    this.#scopes = scopes;
    this.#clock = clock;
    this.#gates = gates;
  }

  /** Tracks the owners of fields at this endpoint. */
  of(scope: ResourceScope): EndpointFieldManager {
    const known = this.#managers.get(scope);
    if (known !== undefined) return known;
    const made = this.#make(scope);
    this.#managers.set(scope, made);
    return made;
  }

  #make(scope: ResourceScope): EndpointFieldManager {
    const { resource, gvk, schema } = scope;
    const subresource = scope.subresource?.name ?? "";
    const kinds = new Map<string, ApplyKind>();
    const replay = new ConversionReplay();
    const manager = fieldManager({
      gvk,
      subresource,
      // Without the field, an entry that is read again would be another manager's.
      namesSubresource: this.#gates.since("1.22"),
      now: () => this.#clock.now(),
      filter: this.#filterOf(scope),
      kindOf: (apiVersion) => {
        const kind = kinds.get(apiVersion) ?? this.#kindAt(scope, apiVersion);
        if (kind !== undefined) kinds.set(apiVersion, kind);
        return kind;
      },
      convert: (object, apiVersion) => replay.convert(() => this.#convert(resource, object, apiVersion)),
      // Upstream: apiserver 1.18, pkg/endpoints/handlers/fieldmanager/skipnonapplied.go.
      tracksCreations: this.#gates.since("1.18"),
      complete: (merged) => {
        const apart = specApart(merged, scope);
        // A merged object is plain JSON.
        const { object } = schema.fromUnstructured(apart.document as JsonObject);
        const completed = defaultedObject(withSpec(object, apart), gvk, scope);
        noteCompleteSpec(merged, completed, scope);
        return completed;
      },
    });
    return {
      update: (live, object, name, latest) => {
        const sent = object.metadata["managedFields"];
        if (!this.#gates.isEnabled("ServerSideApply")) {
          delete object.metadata["managedFields"];
          return object;
        }
        return replay.run(() => {
          // An earlier run may have deleted them.
          if (sent !== undefined) object.metadata["managedFields"] = sent;
          const tracked = roundTripped(object, scope);
          const { managedFields } = manager.update(live, tracked, name, latest).metadata;
          if (managedFields === undefined) delete object.metadata["managedFields"];
          else object.metadata["managedFields"] = managedFields;
          return object;
        });
      },
      apply: (live, config, name, force) => replay.run(() => manager.apply(live, config, name, force)),
    };
  }

  /**
   * The same resource in another version, or in the other group that serves it. Upstream installs the core group separately,
   * so it does not know the types of other groups, nor they its types.
   */
  #inVersion(resource: ApiResource, apiVersion: string): ApiResource | undefined {
    const gv = parseGroupVersion(apiVersion);
    const view = this.#served.current;
    const found = gv && view.resource({ ...gv, resource: resource.resource });
    if (found === undefined || (found.group === "") !== (resource.group === "")) return undefined;
    return view.storedAs(found).group === view.storedAs(resource).group ? found : undefined;
  }

  /** A subresource of another kind, such as Scale, has only one version. */
  #kindAt(scope: ResourceScope, apiVersion: string): ApplyKind | undefined {
    const { gvk, schema, resource } = scope;
    if (apiVersion === formatGroupVersion(gvk)) return applyKind(schema, gvk);
    return gvk.kind === resource.kind ? this.#kindOf(resource, apiVersion) : undefined;
  }

  #kindOf(resource: ApiResource, apiVersion: string): ApplyKind | undefined {
    const found = this.#inVersion(resource, apiVersion);
    const schema = found && this.#served.current.kind(found);
    return found && schema && applyKind(schema, found);
  }

  #convert(resource: ApiResource, object: JsonObject, apiVersion: string): Awaitable<KubeObject> | undefined {
    const from = this.#inVersion(resource, String(object["apiVersion"]));
    const to = this.#inVersion(resource, apiVersion);
    const fromScope = from && this.#scopes.of(from, undefined);
    const toScope = to && this.#scopes.of(to, undefined);
    if (fromScope === undefined || toScope === undefined) return undefined;
    // Objects of these scopes have apiVersion, kind and metadata.
    const sent = conversionBetween(toScope.rest.definition, fromScope, fromScope.conversionOf);
    const stored = convertObjectToStored(sent, { ...object } as MutableKubeObject);
    return whenReady(stored, (object) => convertObject(toScope.conversion, object));
  }

  #filterOf({ resource, subresource, ownedFields }: ResourceScope): FieldFilter {
    if (ownedFields !== undefined) return only(ownedFields);
    const { resetFields } = this.#served.current.facts(resource);
    return allBut(resetFields.get(subresource?.name ?? "main") ?? []);
  }
}

/**
 * What the conversions of a built-in kind make of an object on the way to the stored version and back. Upstream tracks the
 * internal object in the version of the endpoint, so fields that conversions fill in belong to the writer, and fields that
 * they drop to no one (apimachinery, managedfields/internal/structuredmerge.go). Custom resources have no internal form.
 */
function roundTripped(
  object: MutableKubeObject,
  { conversion, conversionOf, gvk }: ResourceScope,
): MutableKubeObject {
  if (conversion.isIdentity) return object;
  const own = conversionOf(gvk);
  if (own === undefined || "convert" in own) return object;
  const stored = conversion.convertToStored([object]);
  const shown = stored instanceof Promise ? undefined : conversion.convert(stored);
  if (shown === undefined || shown instanceof Promise) return object;
  // The object has just been made, so it is not shared.
  return (shown[0] as MutableKubeObject | undefined) ?? object;
}

/** The field manager of a request. */
export function managerOf(fieldManagerParameter: string, { request }: ResourceContext): string {
  return managerName(fieldManagerParameter, request.headers.get("user-agent") ?? "");
}
