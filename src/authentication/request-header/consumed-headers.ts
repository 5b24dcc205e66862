import type { ApiRequest, HeaderLookup } from "../../request/handler.ts";
import type { RequestHeaderConfig } from "../contract/authentication-config.ts";

/** The headers that upstream removes whatever the options are: those that it sends to aggregated API servers. */
const standardNames: readonly string[] = ["x-remote-user", "x-remote-uid", "x-remote-group"];
const standardPrefix = "x-remote-extra-";

/**
 * A request as the stages after authentication see it: without the headers that a proxy may have set, whether they were used or not.
 * Upstream: apiserver, pkg/endpoints/filters/authentication.go.
 */
export function withoutProxyHeaders(proxy: RequestHeaderConfig): (request: ApiRequest) => ApiRequest {
  const { usernameHeaders, uidHeaders, groupHeaders, extraHeaderPrefixes } = proxy;
  const names = new Set([
    ...standardNames,
    ...[...usernameHeaders, ...uidHeaders, ...groupHeaders].map((name) => name.toLowerCase()),
  ]);
  const prefixes = [standardPrefix, ...extraHeaderPrefixes.map((prefix) => prefix.toLowerCase())];
  const isRemoved = (name: string) => names.has(name) || prefixes.some((prefix) => name.startsWith(prefix));
  return (request) => {
    const { method, target, pieces, connection, occupy } = request;
    return {
      method,
      target,
      headers: without(request.headers, isRemoved),
      get signal() {
        return request.signal;
      },
      body: (limit) => request.body(limit),
      ...(pieces !== undefined && { pieces: () => pieces.call(request) }),
      connection,
      ...(occupy !== undefined && { occupy: (seat) => occupy.call(request, seat) }),
    };
  };
}

/** `isRemoved` takes names in lower case. */
function without(headers: HeaderLookup, isRemoved: (name: string) => boolean): HeaderLookup {
  return {
    get: (name) => (isRemoved(name.toLowerCase()) ? undefined : headers.get(name)),
    getAll: (name) => (isRemoved(name.toLowerCase()) ? [] : headers.getAll(name)),
    startingWith: (prefix) => headers.startingWith(prefix).filter(([name]) => !isRemoved(name)),
  };
}
