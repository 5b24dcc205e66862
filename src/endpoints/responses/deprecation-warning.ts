import { formatGroupVersion } from "../../apimachinery/group-version.ts";
import type { ApiResource, Release } from "../../catalog/api-resource.ts";

/** The warning for clients of a deprecated version: `policy/v1beta1 PodSecurityPolicy is deprecated in v1.21+, ...`. */
export function deprecationWarning(resource: ApiResource, release: Release): string | undefined {
  const { deprecated, removed, replacement } = resource.lifecycle;
  if (deprecated === undefined || minor(deprecated) > minor(release)) return undefined;
  const what = `${formatGroupVersion(resource)} ${resource.kind} is deprecated in v${deprecated}+`;
  const until = removed === undefined ? "" : `, unavailable in v${removed}+`;
  const instead =
    replacement === undefined ? "" : `; use ${formatGroupVersion(replacement)} ${replacement.kind}`;
  return what + until + instead;
}

function minor(release: Release): number {
  return Number(release.slice(2));
}
