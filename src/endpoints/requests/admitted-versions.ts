import type {
  DecodedObject,
  ObjectForm,
  ObjectInterfaces,
  ObjectVersion,
} from "../../admission/contract/object-interfaces.ts";
import { type Awaitable, whenReady } from "../../apimachinery/awaitable.ts";
import { DecodeError } from "../../apimachinery/decode-error.ts";
import type { GroupVersionResource } from "../../apimachinery/group-version.ts";
import type { KubeObject, MutableKubeObject } from "../../apimachinery/object-meta.ts";
import type { ApiResource } from "../../catalog/api-resource.ts";
import { BodyError, decodeParsed } from "../../codec/decode.ts";
import { readJson } from "../../codec/json/json.ts";
import { type ApplyKind, applyKind } from "../../patch/apply/apply-kind.ts";
import { revisionPlaceholder } from "../../registry/generic/seal.ts";
import type { ApiView } from "../../served/api-view.ts";
import type { ServedApi } from "../../served/served-api.ts";
import { conversionBetween } from "../contract/conversion.ts";
import { asKubeObject, defaultedObject } from "../contract/defaulted-object.ts";
import type { ResourceScopes } from "../contract/resource-scopes.ts";
import type { ResourceScope } from "../contract/scope.ts";
import { decodeTarget } from "./decode-body.ts";

/** How admission sees the objects of this server in other versions than that of a request. */
export function admittedVersions(served: ServedApi, scopes: ResourceScopes): ObjectInterfaces {
  const scopeOf = ({ gvr, subresource }: ObjectVersion): ResourceScope => {
    // The resource of a request may no longer be served.
    const resource = isDescription(gvr) ? gvr : served.current.resource(gvr);
    const scope = resource && scopes.of(resource, resource.subresources.get(subresource));
    if (scope === undefined) throw new Error(`${gvr.resource} of ${gvr.group}/${gvr.version} is not served`);
    return scope;
  };
  const applyKinds = new WeakMap<ResourceScope, ApplyKind>();
  return {
    equivalentsOf: (version) => served.current.derived(equivalents)(version),
    convert: (objects, from, to, form) => {
      const target = scopeOf(to);
      if (isSameVersion(from, to)) return objects.map((one) => shown(one, form, target));
      return whenReady(converted(objects, from, to, scopeOf), (all) =>
        all.map((one) => shown(one, "decoded", target)),
      );
    },
    decode: (text, version) => decoded(text, scopeOf(version), served.current),
    fromUnstructured: (document, version) => {
      const { schema, gvk } = scopeOf(version);
      return asKubeObject(schema.fromUnstructured(document).object, gvk);
    },
    applyKindOf: (version) => {
      const scope = scopeOf(version);
      if (!isDescribed(version, scope)) return undefined;
      const kind = applyKinds.get(scope) ?? applyKind(scope.schema, scope.gvk);
      applyKinds.set(scope, kind);
      return kind;
    },
    setDefaults: (object, version) => {
      const scope = scopeOf(version);
      defaultedObject(object, scope.gvk, scope);
    },
  };
}

function isDescription(gvr: GroupVersionResource): gvr is ApiResource {
  return "subresources" in gvr;
}

function isSameVersion({ gvr: a }: ObjectVersion, { gvr: b }: ObjectVersion): boolean {
  return a.group === b.group && a.version === b.version;
}

function converted(
  objects: readonly KubeObject[],
  from: ObjectVersion,
  to: ObjectVersion,
  scopeOf: (version: ObjectVersion) => ResourceScope,
): Awaitable<readonly KubeObject[]> {
  const copies = objects.map(
    (object): MutableKubeObject => ({ ...object, metadata: { ...object.metadata } }),
  );
  const [source, target] = [scopeOf(from), scopeOf(to)];
  // The verbs of a kind with a codec handle objects in the version of the target.
  const sent = conversionBetween(target.rest.definition, source, source.conversionOf);
  return whenReady(sent.convertToStored(copies), (all) => target.conversion.convert(all));
}

/** An object in the form in which clients see it. The options of a connection have no metadata. */
function shown(object: KubeObject, form: ObjectForm, { schema, rest }: ResourceScope): KubeObject {
  const canonical = form === "canonical" ? object : schema.canonicalize(object);
  if (rest.connector === undefined) return withoutRevision(canonical);
  const { metadata: _, ...options } = canonical;
  // Admission changes no metadata of options.
  return options as KubeObject;
}

/** A new object has its place for the revision already. */
function withoutRevision(object: KubeObject): KubeObject {
  const { resourceVersion, ...metadata } = object.metadata;
  return resourceVersion === revisionPlaceholder && metadata.uid ? { ...object, metadata } : object;
}

/**
 * Whether the OpenAPI document of the kind's own group and version describes it: not the options of a connection, nor a Scale or an
 * Eviction, which only the documents of other groups describe.
 */
function isDescribed({ gvk }: ObjectVersion, { rest, resource }: ResourceScope): boolean {
  return rest.connector === undefined && gvk.group === resource.group && gvk.version === resource.version;
}

/** @throws {DecodeError} */
function decoded(text: string, scope: ResourceScope, view: ApiView): DecodedObject {
  try {
    const { object, strictErrors } = decodeParsed(readJson(text), [], decodeTarget(scope, view));
    const isBuiltIn = scope.schema.type.from === "struct";
    return { object: asKubeObject(object, scope.gvk), strictErrors: isBuiltIn ? strictErrors : [] };
  } catch (error) {
    throw error instanceof BodyError ? new DecodeError(error.message) : error;
  }
}

type Equivalents = (version: ObjectVersion) => readonly ObjectVersion[];

/** The other versions of each resource of a view, found when they are first needed. Upstream: runtime.EquivalentResourceRegistry. */
function equivalents(view: ApiView): Equivalents {
  const known = new Map<string, readonly ObjectVersion[]>();
  return (version) => {
    const { group, version: name, resource } = version.gvr;
    const key = `${group}/${name}/${resource}/${version.subresource}`;
    const found = known.get(key) ?? equivalentsIn(view, version);
    known.set(key, found);
    return found;
  };
}

function equivalentsIn(view: ApiView, { gvr, subresource }: ObjectVersion): readonly ObjectVersion[] {
  const home = view.storedAs(gvr);
  const versions = view.groupVersions().filter(({ group, version }) => {
    return group !== gvr.group || version !== gvr.version;
  });
  return versions.flatMap(({ group, version }): readonly ObjectVersion[] => {
    const other = view.resource({ group, version, resource: gvr.resource });
    const storedAs = other && view.storedAs(other);
    if (other === undefined || storedAs?.group !== home.group) return [];
    const { kind } = other;
    const gvk = subresource === "" ? { group, version, kind } : other.subresources.get(subresource)?.gvk;
    return gvk === undefined ? [] : [{ gvr: other, gvk, subresource }];
  });
}
