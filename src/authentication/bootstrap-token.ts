import type { AuthenticationEnvironment } from "./contract/authentication-environment.ts";
import { noOpinion, type TokenAuthenticator } from "./contract/authenticator.ts";

const format = /^([a-z0-9]{6})\.([a-z0-9]{16})$/;

/**
 * Authenticates by the tokens in Secrets of kube-system, with which nodes join. Upstream:
 * plugin/pkg/auth/authenticator/token/bootstrap.
 */
export function bootstrapTokens(environment: AuthenticationEnvironment): TokenAuthenticator | undefined {
  if (!environment.config.bootstrapTokens) return undefined;
  const { lister, clock } = environment;
  return (token) => {
    const [, id = "", password = ""] = format.exec(token) ?? [];
    if (id === "") return noOpinion;
    const secret = lister.get({ group: "", resource: "secrets" }, "kube-system", `bootstrap-token-${id}`);
    if (secret === undefined) return noOpinion;
    const load = import("./bootstrap-token-user.ts");
    return load.then(({ userOfBootstrapToken }) => userOfBootstrapToken(secret, id, password, clock.now()));
  };
}
