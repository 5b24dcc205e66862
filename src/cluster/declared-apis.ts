import type { OptionType } from "../apimachinery/option-checks.ts";
import { anyObject, listOf } from "../apimachinery/option-types.ts";
import type { DeclaredApi } from "../lifecycle/declared-api.ts";
import type { KindSource } from "../served/served-api.ts";

/** An API that `createApi` declares. */
const declaredApi: OptionType = {
  accepts: "what createApi of kubedouble/lifecycle returned",
  isValid: (value) => anyObject.isValid(value) && anyObject.isValid(Object(value)["source"]),
};

/** The option `apis`. */
export const declaredApis: OptionType = listOf(declaredApi);

/**
 * Where the kinds of declared APIs come from.
 * @throws {Error} for a resource that two of them declare
 */
export function kindSourcesOf(apis: readonly DeclaredApi[], title: string): readonly KindSource[] {
  const seen = new Set<string>();
  for (const { group, resource } of apis) {
    const name = `${resource}.${group}`;
    if (seen.has(name))
      throw new Error(`${title}: two of them declare ${name}; one timeline has all its versions`);
    seen.add(name);
  }
  // `createApi` makes it; the public type does not tell, because it would contain most types of the server.
  return apis.map(({ source }) => source as KindSource);
}
