import type { Authorization, AuthorizationOf } from "../contract/authorizer.ts";
import type { AuthorizationEnvironment } from "../modes.ts";
import { privilegedGroups } from "../privileged-group.ts";
import { union } from "../union.ts";
import type { AuthorizationConfigurationSource, ConfiguredAuthorizers } from "./authorization-configuration.ts";

/** The authorization of an AuthorizationConfiguration. Until it is loaded, only members of `system:masters` are allowed anything. */
export interface ConfiguredAuthorization {
  readonly authorizationOf: AuthorizationOf;
  /** Reads the configuration for the first time. @throws {ConfigurationError} that names each error */
  readonly load: () => Promise<void>;
}

/** Upstream: pkg/kubeapiserver/authorizer/reload.go. */
export function configuredAuthorization(
  source: AuthorizationConfigurationSource,
  environment: AuthorizationEnvironment,
): ConfiguredAuthorization {
  const unloaded: readonly AuthorizationOf[] = [];
  let authorizers: ConfiguredAuthorizers = () => unloaded;
  return {
    authorizationOf: (state) => {
      // Authorizers that stay the same keep what they know of the state.
      const made = new WeakMap<AuthorizationOf, Authorization>();
      const kept = (authorizationOf: AuthorizationOf) => (): Authorization => {
        const authorization = made.get(authorizationOf) ?? authorizationOf(state);
        made.set(authorizationOf, authorization);
        return authorization;
      };
      let known: readonly AuthorizationOf[] | undefined;
      let authorization = privilegedGroups(state);
      const current = (): Authorization => {
        const members = authorizers();
        if (members !== known) authorization = union([privilegedGroups, ...members].map(kept))(state);
        known = members;
        return authorization;
      };
      return {
        authorize: (attributes) => current().authorize(attributes),
        rulesFor: (user, namespace) => current().rulesFor(user, namespace),
      };
    },
    load: async () => {
      const { loadedAuthorizers } = await import("./loaded-authorizers.ts");
      authorizers = loadedAuthorizers(source, environment);
    },
  };
}
