import type { Lister } from "../apimachinery/lister.ts";
import { type AuthenticationChain, authenticationChain } from "../authentication/authentication-methods.ts";
import type { AuthenticationEnvironment } from "../authentication/contract/authentication-environment.ts";
import { AuthenticationMetrics } from "../authentication/contract/authentication-metrics.ts";
import type { StaticTokens } from "../authentication/static-token.ts";
import type { ClusterClient } from "./client.ts";
import { startErrorOf } from "./contract/start-error.ts";
import type { Config } from "./options.ts";
import type { PublishedServer } from "./published-server.ts";
import type { Pipeline } from "./serve.ts";

/** What a cluster authenticates by. */
interface AuthenticationSource {
  readonly config: Config;
  readonly tokens: StaticTokens;
  readonly published: PublishedServer;
}

/** The methods that authenticate clients. */
export function chainOf(
  { config, tokens, published }: AuthenticationSource,
  lister: Lister,
  serverClient: ClusterClient,
): AuthenticationChain {
  const { authentication, clock, featureGates: gates, catalog, reviewWire: wire } = config;
  const environment: AuthenticationEnvironment = {
    config: authentication,
    lister,
    clock,
    gates,
    release: catalog.release,
    patchSecret: (namespace, name, patch) => serverClient.patch("v1", "Secret", name, patch, { namespace }),
    metrics: new AuthenticationMetrics(),
    wire,
  };
  const chain = authenticationChain(environment, tokens);
  // Like kube-apiserver, a cluster on a port asks its issuers at once. In a process, it makes no calls before the first token.
  const discover = (): void => {
    if (published.isOpen) chain.discover();
  };
  published.onChange(discover);
  discover();
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
