import type { RegistryOptions } from "../../../registry/contract/registry-options.ts";
import type { ResourceAccess } from "../../../registry/contract/resource-access.ts";
import type { ResourceDefinition, Rest } from "../../../registry/contract/rest.ts";
import type { StoredResource } from "../../../registry/contract/stored-resource.ts";
import type { TokenServer } from "./create-token.ts";

/** POST to `serviceaccounts/{name}/token`. Tokens are not stored, so a dry run answers the same. */
export function serviceAccountTokenRest(
  accounts: StoredResource,
  definition: ResourceDefinition,
  access: ResourceAccess,
  { authentication, gates }: RegistryOptions,
): Rest {
  const server: TokenServer = { accounts, definition, access, authentication, gates };
  return {
    definition,
    create: async (key, request, options) => {
      const { createToken } = await import("./create-token.ts");
      return createToken(server, key, request, options);
    },
  };
}
