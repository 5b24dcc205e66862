import type { UserInfo } from "../../apimachinery/user-info.ts";
import type { HeaderLookup } from "../../request/handler.ts";
import { verificationCache } from "../certificates/verification-cache.ts";
import type { RequestHeaderConfig } from "../contract/authentication-config.ts";
import type { AuthenticationEnvironment } from "../contract/authentication-environment.ts";
import { type Authentication, type Authenticator, noOpinion, rejected } from "../contract/authenticator.ts";
import { extraKey } from "../contract/extra-key.ts";

/**
 * Authenticates the user that a proxy names in headers. The proxy identifies itself with a certificate, which is verified before
 * a header is read. Upstream: apiserver, pkg/authentication/request/headerrequest.
 */
export function requestHeader({ config, clock }: AuthenticationEnvironment): Authenticator | undefined {
  const { requestHeader: proxy } = config;
  if (proxy === undefined) return undefined;
  const problemOf = verificationCache(clock, (certificate, authorities, now) =>
    import("./proxy-certificate.ts").then(({ proxyProblem }) =>
      proxyProblem(certificate, { authorities, allowedNames: proxy.allowedNames, now }),
    ),
  );
  const answer = (headers: HeaderLookup, problem: string | undefined): Authentication => {
    if (problem !== undefined) return rejected(problem);
    const user = userOf(headers, proxy);
    return user === undefined ? noOpinion : { type: "authenticated", user };
  };
  return ({ headers }, { certificate }) => {
    if (certificate === undefined) return noOpinion;
    const problem = problemOf(certificate, proxy.clientCa(), "");
    return problem instanceof Promise
      ? problem.then((settled) => answer(headers, settled))
      : answer(headers, problem);
  };
}

/** The user that the headers name; undefined without a name. */
function userOf(headers: HeaderLookup, proxy: RequestHeaderConfig): UserInfo | undefined {
  const name = firstValue(headers, proxy.usernameHeaders);
  if (name === "") return undefined;
  return {
    name,
    uid: firstValue(headers, proxy.uidHeaders),
    groups: proxy.groupHeaders.flatMap((header) => headers.getAll(header).filter((value) => value !== "")),
    extra: extraOf(headers, proxy.extraHeaderPrefixes),
  };
}

/** The first value of the first header that has one. */
function firstValue(headers: HeaderLookup, names: readonly string[]): string {
  for (const name of names) {
    const value = headers.get(name) ?? "";
    if (value !== "") return value;
  }
  return "";
}

function extraOf(headers: HeaderLookup, prefixes: readonly string[]): UserInfo["extra"] {
  const extra: Record<string, string[]> = Object.create(null);
  for (const prefix of prefixes) {
    for (const [header, value] of headers.startingWith(prefix.toLowerCase())) {
      const key = extraKey(header.slice(prefix.length));
      const known = extra[key];
      if (known === undefined) extra[key] = [value];
      else known.push(value);
    }
  }
  return extra;
}
