import type { HeaderLookup } from "../../request/handler.ts";
import { verificationCache } from "../certificates/verification-cache.ts";
import type { AuthenticationEnvironment } from "../contract/authentication-environment.ts";
import { type Authentication, type Authenticator, noOpinion, rejected } from "../contract/authenticator.ts";

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
  const answer = async (headers: HeaderLookup, problem: string | undefined): Promise<Authentication> => {
    if (problem !== undefined) return rejected(problem);
    const { userOf } = await import("./proxied-user.ts");
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
