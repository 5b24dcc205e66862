import { textsAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { utf8Length } from "../../../apimachinery/utf8.ts";

/** How many search paths a pod may have, and how long they may be together. */
export interface SearchLimits {
  readonly paths: number;
  readonly characters: number;
}

/** Since 1.22 with the gate ExpandedDNSConfig. */
export const expandedSearches: SearchLimits = { paths: 32, characters: 2048 };

/** Before. */
export const fewSearches: SearchLimits = { paths: 6, characters: 256 };

/** The length of the search list, with spaces. */
export function searchListLength(searches: readonly string[]): number {
  return utf8Length(searches.join(" "));
}

/** Whether a pod has more search paths than the smaller limits allow. */
export function hasManySearches(spec: JsonObject): boolean {
  const searches = textsAt(spec, "dnsConfig", "searches");
  return searches.length > fewSearches.paths || searchListLength(searches) > fewSearches.characters;
}
