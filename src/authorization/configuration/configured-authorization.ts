import type { Authorization, AuthorizationOf, NamedAuthorization } from "../contract/authorizer.ts";
import type { AuthorizationEnvironment } from "../modes.ts";
import { privilegedGroup, privilegedGroups } from "../privileged-group.ts";
import { type NamedMode, union } from "../union.ts";
import type {
  AuthorizationConfigurationSource,
  ConfiguredAuthorizers,
} from "./authorization-configuration.ts";

/** The authorization of an AuthorizationConfiguration. Until it is loaded, only members of `system:masters` are allowed anything. */
export interface ConfiguredAuthorization {
  readonly authorizationOf: AuthorizationOf;
  /**
   * Reads the configuration for the first time, and every minute from then on if it may change.
   * @throws {ConfigurationError} that names each error
   */
  readonly load: (closing: AbortSignal) => Promise<void>;
}

/** Upstream: pkg/kubeapiserver/authorizer/reload.go. */
export function configuredAuthorization(
  source: AuthorizationConfigurationSource,
  environment: AuthorizationEnvironment,
): ConfiguredAuthorization {
  const unloaded: readonly NamedMode[] = [];
  const privileged: NamedMode = { name: privilegedGroup, of: privilegedGroups };
  let authorizers: ConfiguredAuthorizers = () => unloaded;
  return {
    authorizationOf: (state) => {
      // Authorizers that stay the same keep what they know of the state.
      const made = new WeakMap<AuthorizationOf, Authorization>();
      const kept = ({ name, of }: NamedMode): NamedMode => ({
        name,
        of: () => {
          const authorization = made.get(of) ?? of(state);
          made.set(of, authorization);
          return authorization;
        },
      });
      let known: readonly NamedMode[] | undefined;
      let authorization = privilegedGroups(state);
      const current = (): Authorization => {
        const modes = authorizers();
        if (modes !== known) authorization = union([privileged, ...modes].map(kept))(state);
        known = modes;
        return authorization;
      };
      return {
        authorize: (attributes) => current().authorize(attributes),
        rulesFor: (user, namespace) => current().rulesFor(user, namespace),
        get members(): readonly NamedAuthorization[] {
          return current().members ?? [];
        },
      };
    },
    load: async (closing) => {
      const { loadedAuthorizers } = await import("./loaded-authorizers.ts");
      authorizers = loadedAuthorizers(source, environment, closing);
    },
  };
}
