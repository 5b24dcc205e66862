import type { ServiceAccountKeyOptions } from "../contract/authentication-config.ts";
import type { ServiceAccountKeys } from "../contract/service-account-keys.ts";

/** The keys of the options, or a generated one. The code for tokens is loaded with the first use of a key. */
export function serviceAccountKeys(options: ServiceAccountKeyOptions): ServiceAccountKeys {
  let loading: Promise<ServiceAccountKeys> | undefined;
  const keys = (): Promise<ServiceAccountKeys> => {
    loading ??= import("./jose-keys.ts").then(({ joseKeys }) => joseKeys(options));
    return loading;
  };
  return {
    sign: async (claims) => (await keys()).sign(claims),
    verify: async (token) => (await keys()).verify(token),
    publicKeys: async () => (await keys()).publicKeys(),
  };
}
