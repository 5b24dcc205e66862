import { formatGroupVersion } from "../../apimachinery/group-version.ts";
import { type AnyRelease, type Release, sinceOf } from "../../apimachinery/release.ts";
import type { ApiResource } from "../../catalog/api-resource.ts";

/** Earlier servers send no warnings and count no deprecated versions. Upstream: the gate WarningHeaders. */
const firstWarningRelease = "1.19";

/** The warning for clients of a deprecated version: `policy/v1beta1 PodSecurityPolicy is deprecated in v1.21+, ...`. */
export function deprecationWarning(resource: ApiResource, release: Release): string | undefined {
  if (resource.deprecationWarning !== undefined) return resource.deprecationWarning;
  const { deprecated, removed, replacement } = resource.lifecycle;
  const since = sinceOf<AnyRelease>(release);
  if (deprecated === undefined || !since(deprecated) || !since(firstWarningRelease)) return undefined;
  const what = `${formatGroupVersion(resource)} ${resource.kind} is deprecated in v${deprecated}+`;
  const until = removed === undefined ? "" : `, unavailable in v${removed}+`;
  const instead =
    replacement === undefined ? "" : `; use ${formatGroupVersion(replacement)} ${replacement.kind}`;
  return what + until + instead;
}
