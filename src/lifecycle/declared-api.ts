import type { JsonObject } from "../apimachinery/json.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import { checkOptions, type OptionType } from "../apimachinery/option-checks.ts";
import { anyObject, boolean, text } from "../apimachinery/option-types.ts";
import type { Release } from "../apimachinery/release.ts";
import { dns1035LabelMessages, dnsSubdomainMessages } from "../apimachinery/validation/names.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { catalogFiles } from "../catalog/catalog-files.ts";
import { customResourcePriority } from "../catalog/group-priority.ts";
import type { KindDefinition } from "../registry/contract/kind-definition.ts";
import type { KindSource } from "../served/served-api.ts";
import type { DeclaredVersion } from "../served/served-kind.ts";
import { ApiTimeline, isServed, type ParsedLife, type TimelineOptions } from "./api-timeline.ts";
import { isLessStable, trackOf } from "./version-track.ts";

/** A group with one kind whose versions come and go with the releases of Kubernetes. */
export interface ApiOptions extends TimelineOptions {
  /** Such as "example.com". */
  readonly group: string;
  /** Such as "Widget". */
  readonly kind: string;
  /** The name of the resource. Default: the kind in lower case with an "s". */
  readonly plural?: string;
  /** Whether objects belong to a namespace. Default: true. */
  readonly namespaced?: boolean;
  /** The `openAPIV3Schema` of all versions. Default: any object. */
  readonly schema?: JsonObject;
}

/** An API that a cluster serves besides those of Kubernetes: the option `apis` of `createCluster`. */
export interface DeclaredApi {
  readonly group: string;
  /** The name of its resource, such as "widgets". */
  readonly resource: string;
  /** The kinds that a release serves, for the cluster alone: a `KindSource`. */
  readonly source: object;
  /** The versions of the objects that a release can read. */
  readonly versionsKnownIn: (release: Release) => ReadonlySet<string>;
  /** The versions that a release serves, with the priorities of their APIServices. */
  readonly versionPrioritiesIn: (release: Release) => ReadonlyMap<string, number>;
}

const apiOptionTypes: { readonly [option in keyof Required<ApiOptions>]: OptionType } = {
  group: { ...text, isRequired: true },
  kind: { ...text, isRequired: true },
  plural: text,
  namespaced: boolean,
  schema: anyObject,
  timeline: { ...anyObject, isRequired: true },
  preferred: anyObject,
  storage: anyObject,
};

/**
 * Declares a group with one kind and the life of its versions: `createCluster({ apis: [createApi({ group: "example.com", kind:
 * "Widget", timeline: { v1beta1: { introduced: "1.28", deprecated: "1.29", removed: "1.32" }, v1: { introduced: "1.29" } } })] })`.
 * The release of the cluster decides which versions it serves, prefers and stores, and `upgrade` walks through them. All versions
 * have the same fields.
 * @throws {Error} that says all contradictions of the timeline
 */
export function createApi(options: ApiOptions): DeclaredApi {
  checkOptions("createApi", options, apiOptionTypes);
  const { group, kind, plural = `${kind.toLowerCase()}s` } = options;
  checkGroup(group);
  checkNames(kind, plural);
  const title = `createApi: ${kind} of ${group}`;
  const timeline = new ApiTimeline(options, title);
  for (const life of timeline.versions) checkReplacement(life, timeline, title);
  let code: Code | undefined;
  const source: KindSource<KindDefinition> = {
    resource: undefined,
    kindsOf: (_, catalog) =>
      code === undefined ? [] : kindsIn(code, catalog, timeline, { ...options, plural }),
    load: async () => {
      code ??= await import("../kinds/apiextensions/custom-resource/custom-resource-kind.ts");
    },
  };
  return {
    group,
    resource: plural,
    source,
    versionsKnownIn: (release) => new Set(timeline.knownIn(release).map(({ name }) => name)),
    versionPrioritiesIn: (release) =>
      new Map(timeline.servedIn(release).map(({ name }) => [name, priorityIn(release, name, timeline)])),
  };
}

/** @throws {Error} for a group of Kubernetes, and for no name of a domain */
function checkGroup(group: string): void {
  if (catalogFiles.keys().some((key) => key.startsWith(`${group}/`)))
    throw new Error(`createApi: ${group} is a group of Kubernetes itself`);
  if (!group.includes(".") || dnsSubdomainMessages(group).length > 0)
    throw new Error(`createApi: group ${JSON.stringify(group)} is not a domain such as "example.com"`);
}

/** @throws {Error} for names that a definition of custom resources could not have either */
function checkNames(kind: string, plural: string): void {
  checkName("kind", kind, kind.toLowerCase());
  checkName("plural", plural, plural);
}

function checkName(option: string, given: string, label: string): void {
  const [message] = dns1035LabelMessages(label);
  if (message !== undefined)
    throw new Error(`createApi: ${option} ${JSON.stringify(given)} is no name of a resource: ${message}`);
}

/** Rule #3 of the deprecation policy. @throws {Error} for a replacement that is less stable */
function checkReplacement({ name, replacement }: ParsedLife, timeline: ApiTimeline, title: string): void {
  if (replacement === undefined || !isLessStable(trackOf(replacement), trackOf(name))) return;
  const fit = timeline.versions.filter(
    (one) => one.name !== name && !isLessStable(trackOf(one.name), trackOf(name)),
  );
  const choice = fit.length === 0 ? "no version of the timeline" : fit.map((one) => one.name).join(", ");
  throw new Error(
    `${title}: the timeline is not possible: ${name} is replaced by ${replacement}, which is less stable (rule #3): ${choice} can replace it`,
  );
}

/** What custom resources are served with, which is loaded with the first request. */
type Code = typeof import("../kinds/apiextensions/custom-resource/custom-resource-kind.ts");

type NamedApi = ApiOptions & { readonly plural: string };

/** The kind as a release has it; none before its first version. */
function kindsIn(
  { customResourceKinds }: Code,
  catalog: Catalog,
  timeline: ApiTimeline,
  options: NamedApi,
): readonly KindDefinition[] {
  const { release } = catalog;
  if (timeline.knownIn(release).length === 0) return [];
  const kind = catalog.derived(customResourceKinds)(definitionIn(release, timeline, options));
  if (kind?.served === undefined) return [];
  const versions = kind.served.versions.map((version) => withLife(version, release, timeline));
  return [{ ...kind, served: { ...kind.served, versions } }];
}

/** The definition of custom resources that serves the kind as the release does. */
function definitionIn(release: Release, timeline: ApiTimeline, options: NamedApi): KubeObject {
  const { group, kind, plural, namespaced = true, schema } = options;
  const openAPIV3Schema = schema ?? { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  const names = { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` };
  const storage = timeline.storageIn(release);
  const versions = timeline.knownIn(release).map((life) => ({
    name: life.name,
    served: isServed(life, release),
    storage: life.name === storage,
    schema: { openAPIV3Schema },
  }));
  const scope = namespaced ? "Namespaced" : "Cluster";
  const conversion = { strategy: "None" };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: { group, names, scope, versions, conversion },
    status: { conditions: [{ type: "Established", status: "True" }], acceptedNames: names },
  };
}

/** The version with its place in the timeline, on which discovery and warnings depend. */
function withLife(version: DeclaredVersion, release: Release, timeline: ApiTimeline): DeclaredVersion {
  const { group, version: name, kind } = version.resource;
  const life = timeline.versions.find((one) => one.name === name);
  if (life === undefined) return version;
  const { introduced, deprecated, removed } = life;
  const other = timeline.replacementOf(life, release);
  const replacement = other === undefined ? undefined : { group, version: other, kind };
  return {
    ...version,
    resource: { ...version.resource, lifecycle: { introduced, deprecated, removed, replacement } },
    priority: { ...customResourcePriority, version: priorityIn(release, name, timeline) },
  };
}

/** The preferred version comes before the others of its group. */
function priorityIn(release: Release, version: string, timeline: ApiTimeline): number {
  const { version: usual } = customResourcePriority;
  return timeline.preferredIn(release) === version ? usual + 1 : usual;
}
