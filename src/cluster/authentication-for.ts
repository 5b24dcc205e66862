import type { Lister } from "../apimachinery/lister.ts";
import { type AuthenticationChain, authenticationChain } from "../authentication/authentication-methods.ts";
import type { AuthenticationEnvironment } from "../authentication/contract/authentication-environment.ts";
import type { StaticTokens } from "../authentication/static-token.ts";
import type { ServerMetrics } from "../endpoints/contract/server-metrics.ts";
import type { ClusterClient } from "./client.ts";
import { startErrorOf } from "./contract/start-error.ts";
import type { Config } from "./options.ts";
import type { Pipeline } from "./serve.ts";

/** What a cluster authenticates by. */
interface AuthenticationSource {
  readonly config: Config;
  readonly tokens: StaticTokens;
}

/** The methods that authenticate clients. */
export function chainOf(
  { config, tokens }: AuthenticationSource,
  lister: Lister,
  serverClient: ClusterClient,
  metrics: ServerMetrics,
): AuthenticationChain {
  const { authentication, clock, featureGates: gates, catalog } = config;
  const environment: AuthenticationEnvironment = {
    config: authentication,
    lister,
    clock,
    gates,
    release: catalog.release,
    patchSecret: (namespace, name, patch) => serverClient.patch("v1", "Secret", name, patch, { namespace }),
    count: (counter) => metrics.countToken(counter),
  };
  const chain = authenticationChain(environment, tokens);
  const notStarted = (error: unknown): never => {
    throw startErrorOf(error);
  };
  return { ...chain, ready: () => chain.ready()?.catch(notStarted) };
}

/** Which requests without credentials are anonymous: a configuration comes before the flag. */
export function anonymousRule(
  flag: Config["anonymousAuth"],
  { anonymous }: AuthenticationChain,
): Pipeline["isAnonymous"] {
  return ({ origin }, path) => {
    const configured = anonymous();
    if (configured === undefined) return origin === "process" ? flag.inProcess : flag.onPort;
    const { enabled, paths } = configured;
    return enabled && (paths.length === 0 || paths.includes(path));
  };
}
