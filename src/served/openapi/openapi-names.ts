import type { GroupVersion } from "../../apimachinery/group-version.ts";
import { type Release, sinceOf } from "../../apimachinery/release.ts";
import { builtinIndex } from "../../catalog/builtin.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import { builtinPriority } from "../../catalog/group-priority.ts";

/** The Go packages, as in the names of definitions, of groups whose package is not the first label of the group in `k8s.io/api`. */
const packages: ReadonlyMap<string, string> = new Map([
  ["", "io.k8s.api.core"],
  ["apiextensions.k8s.io", "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions"],
  ["apiregistration.k8s.io", "io.k8s.kube-aggregator.pkg.apis.apiregistration"],
  ["internal.apiserver.k8s.io", "io.k8s.api.apiserverinternal"],
  ["meta", "io.k8s.apimachinery.pkg.apis.meta"],
]);

/** `io.k8s.api.apps.v1`: the first part of a definition's name. */
export function packageOf({ group, version }: GroupVersion): string {
  const known = packages.get(group);
  if (known !== undefined) return `${known}.${version}`;
  if (builtinPriority({ group, version }) === undefined) return `${reversed(group)}.${version}`;
  const dot = group.indexOf(".");
  return `io.k8s.api.${dot < 0 ? group : group.slice(0, dot)}.${version}`;
}

/** `com.example.stable`: the prefix of the definitions of custom resources. */
function reversed(group: string): string {
  return group.split(".").reverse().join(".");
}

/** Groups with types of kube-apiserver that are not in the scheme that names the definitions. */
const otherSchemes: ReadonlySet<string> = new Set([
  "apidiscovery.k8s.io",
  "apiserver.config.k8s.io",
  "audit.k8s.io",
  "client.authentication.k8s.io",
  "meta.k8s.io",
]);

/** The first release without the Go package, which can exist years longer than its API. */
const packagesGone: ReadonlyMap<string, Release> = new Map<string, Release>([
  ["auditregistration.k8s.io/v1alpha1", "1.19"],
  ["autoscaling/v2beta1", "1.36"],
  ["autoscaling/v2beta2", "1.36"],
  ["batch/v2alpha1", "1.21"],
  ["coordination.k8s.io/v1alpha1", "1.32"],
  ["discovery.k8s.io/v1alpha1", "1.21"],
  ["flowcontrol.apiserver.k8s.io/v1alpha1", "1.29"],
  ["networking.k8s.io/v1alpha1", "1.34"],
  ["resource.k8s.io/v1alpha1", "1.27"],
  ["resource.k8s.io/v1alpha2", "1.31"],
  ["scheduling.k8s.io/v1alpha1", "1.36"],
  ["settings.k8s.io/v1alpha1", "1.20"],
  ["storagemigration.k8s.io/v1alpha1", "1.35"],
]);

/**
 * The groups and versions for which the server has types, whether or not it serves them, sorted. DeleteOptions and
 * WatchEvent are documented as kinds of each.
 */
export function schemeVersions(catalog: Catalog): readonly GroupVersion[] {
  const since = sinceOf(catalog.release);
  // The index is our own data; openapi-names.test.ts compares the result with the types of the catalog.
  const index = JSON.parse(builtinIndex) as readonly (GroupVersion & { readonly since: Release })[];
  return index
    .filter(({ group, version, since: first }) => {
      if (otherSchemes.has(group) || !since(first)) return false;
      const gone = packagesGone.get(`${group}/${version}`);
      return gone === undefined || !since(gone);
    })
    .map(({ group, version }) => ({ group, version }))
    .sort((a, b) => compare(a.group, b.group) || compare(a.version, b.version));
}

/** Compares like Go's sort: by code units, which are the bytes of our ASCII names. */
export function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
