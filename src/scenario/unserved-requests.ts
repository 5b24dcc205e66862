import { formatGroupVersion } from "../apimachinery/group-version.ts";
import { type Release, releases, sinceOf } from "../apimachinery/release.ts";
import { type ResourceReleases, releasesOf } from "../catalog/served-versions.ts";
import type { LoggedRequest } from "./logged-request.ts";

/** Clients requested paths that this API does not serve. The message says which option would serve them. */
export class UnservedRequestError extends Error {
  override readonly name = "UnservedRequestError";
}

/** Unserved paths that clients may request: paths, or patterns for them; `true` allows all. */
export type AllowedPaths = boolean | readonly (string | RegExp)[];

/** @throws {UnservedRequestError} if some of these requests are not allowed; it names each path once */
export function checkUnserved(
  requests: readonly LoggedRequest[],
  allowed: AllowedPaths,
  release: Release,
): void {
  const byPath = new Map<string, LoggedRequest>();
  for (const request of requests) {
    const key = `${request.method} ${request.path}`;
    if (!isAllowed(request.path, allowed) && !byPath.has(key)) byPath.set(key, request);
  }
  if (byPath.size === 0) return;
  throw new UnservedRequestError(
    [...byPath.values()].map((request) => messageOf(request, release)).join("\n"),
  );
}

function isAllowed(path: string, allowed: AllowedPaths): boolean {
  if (typeof allowed === "boolean") return allowed;
  return allowed.some((one) => (typeof one === "string" ? one === path : path.search(one) >= 0));
}

function messageOf(request: LoggedRequest, release: Release): string {
  const { method, target, path, user, group, version, resource } = request;
  const asked = `${method} ${target} as ${user === "" ? "an unauthenticated user" : user}: Kubernetes ${release} does not serve this path`;
  const allow = `To allow it: allowUnserved: [${JSON.stringify(path)}]`;
  const span = resource === "" ? undefined : releasesOf({ group, version, resource });
  if (span === undefined) return `${asked}.\n  ${allow}`;
  const what = `${formatGroupVersion({ group, version })}`;
  return `${asked}, ${spanOf(span)} ${hintFor(span, what, release)}\n  ${allow}`;
}

function spanOf({ first, last }: ResourceReleases): string {
  if (last === releases.at(-1)) return `${first} and later do.`;
  return first === last ? `${first} does.` : `${first} to ${last} do.`;
}

function nearestRelease(release: Release, { first, last }: ResourceReleases): Release {
  const since = sinceOf(release);
  if (!since(first)) return first;
  return since(last) ? last : release;
}

/** The option of a cluster that would serve the path. */
function hintFor(served: ResourceReleases, what: string, release: Release): string {
  const nearest = nearestRelease(release, served);
  const options = [
    ...(nearest === release ? [] : [`release: "${nearest}"`]),
    ...(served.isServedByDefault ? [] : [`runtimeConfig: new Map([[${JSON.stringify(what)}, true]])`]),
  ];
  return options.length === 0 ? "" : `To use it: createCluster({ ${options.join(", ")} })`;
}
