import { goQuote } from "../apimachinery/go/go-quote.ts";
import {
  formatGroupVersion,
  type GroupResource,
  type GroupVersionKind,
  parseGroupVersion,
} from "../apimachinery/group-version.ts";
import type { KubeObject, MutableKubeObject } from "../apimachinery/object-meta.ts";
import type { ApiResource } from "../catalog/api-resource.ts";
import type { FeatureGates } from "../catalog/feature-gates.ts";
import { resourceOfKind } from "../catalog/resource-of-kind.ts";
import type { KindSchema } from "../schema/kind-schema.ts";
import type { ApiView } from "../served/api-view.ts";
import { withPartsOf } from "../sharing/shared-parts.ts";
import type { Reading } from "../store/value-reader.ts";
import type { KindDefinition, KindRules } from "./contract/kind-definition.ts";

/** What a server knows of the kinds of its release. */
export interface ReleaseKinds {
  readonly view: ApiView<KindDefinition>;
  readonly rulesOf: (gr: GroupResource) => KindRules;
  readonly gates: FeatureGates;
  /** The versions of a declared group that the release knows, served or not; undefined for other groups. */
  readonly declaredVersions: (group: string) => ReadonlySet<string> | undefined;
}

/** How the server of a release reads what servers of other releases have stored. */
export interface ReleaseReading {
  readonly read: (object: KubeObject) => Reading<KubeObject>;
  /** The resource of an object that the release can read but serves in no version; undefined for others. */
  readonly unservedResource: (object: KubeObject) => GroupResource | undefined;
}

type Read = (object: KubeObject) => Reading<KubeObject>;

/** How to read the stored objects of one version of a kind. */
interface Plan {
  readonly read: Read;
  readonly unserved: GroupResource | undefined;
}

const asItIs: Plan = { read: (value) => ({ value }), unserved: undefined };

/**
 * The server decodes the stored version of an object with its own types: it drops fields that they do not have, sets the defaults
 * of that version, and converts the object to the version in which it stores the kind itself. A version that it does not know is
 * unreadable. Upstream: the codec of the storage (apiserver, pkg/server/storage/storage_codec.go).
 */
export function releaseReading(kinds: ReleaseKinds): ReleaseReading {
  const plans = new Map<string, Plan>();
  const planOf = ({ apiVersion, kind }: KubeObject): Plan => {
    const key = `${apiVersion} ${kind}`;
    const known = plans.get(key);
    if (known !== undefined) return known;
    const gv = parseGroupVersion(apiVersion);
    const made = gv === undefined ? undefined : planFor({ ...gv, kind }, kinds);
    // Names of custom kinds come from clients, so only the built-in ones are kept.
    if (made === undefined) return asItIs;
    plans.set(key, made);
    return made;
  };
  return {
    read: (object) => planOf(object).read(object),
    unservedResource: (object) => planOf(object).unserved,
  };
}

/** Undefined for a kind that the catalog does not have. */
function planFor(gvk: GroupVersionKind, kinds: ReleaseKinds): Plan | undefined {
  const declared = kinds.declaredVersions(gvk.group);
  if (declared !== undefined) return declared.has(gvk.version) ? asItIs : unreadable(gvk, undefined);
  const resource = resourceOfKind(gvk);
  if (resource === undefined) return undefined;
  const gr = { group: gvk.group, resource };
  const { view } = kinds;
  const schema = view.kind(gvk);
  const stored = view.storedResource(gr);
  if (schema === undefined) return unreadable(gvk, stored === undefined ? gr : undefined);
  const storedSchema = stored && view.kind(stored);
  if (stored === undefined || storedSchema === undefined) return { ...asItIs, unserved: gr };
  return { read: readingAs(gvk, schema, stored, storedSchema, kinds), unserved: undefined };
}

function unreadable(gvk: GroupVersionKind, unserved: GroupResource | undefined): Plan {
  const version = goQuote(formatGroupVersion(gvk));
  const message = `no kind ${goQuote(gvk.kind)} is registered for version ${version} in scheme "pkg/api/legacyscheme/scheme.go:30"`;
  return { read: () => ({ unreadable: message }), unserved };
}

function readingAs(
  gvk: GroupVersionKind,
  schema: KindSchema,
  stored: ApiResource,
  storedSchema: KindSchema,
  { rulesOf, gates }: ReleaseKinds,
): Read {
  const rules = rulesOf(stored).versions?.[formatGroupVersion(gvk)];
  // No version has a conversion to itself.
  const own = rules?.conversions?.[formatGroupVersion(stored)];
  return (object) => {
    // The conversion keeps apiVersion, kind and metadata.
    const decoded = schema.fromUnstructured(object).object as MutableKubeObject;
    rules?.defaults?.(decoded, gates);
    const converted = own === undefined || "convert" in own ? decoded : own.toStored(decoded);
    const typed = { ...converted, kind: stored.kind, apiVersion: formatGroupVersion(stored) };
    const value: MutableKubeObject = storedSchema.canonicalizeStored(typed);
    // The stored object is not canonical for this release, so the parts that they share are found afterwards; both are objects.
    return { value: withPartsOf(object, value) as KubeObject };
  };
}
