import { isJsonObject } from "../apimachinery/json.ts";
import { decodeBase64Url } from "../codec/base64-url.ts";
import { parseJson } from "../codec/json/json.ts";
import type { LoggedRequest } from "./logged-request.ts";
import { queryOf } from "./scenario.ts";

/** How many lists are kept, how many pages of each, and how long their texts may be. */
const listsKept = 1000;
const pagesKept = 1000;
const longestKept = 4096;

/** Numbers the pages that clients request of lists. The first page has no token; the others have one each. */
export class ListPages {
  /** The tokens of each list that was requested in pages, in the order in which they came. */
  readonly #tokens = new Map<string, string[]>();

  /** The page that a list request asks for, counted from 1; undefined if its token does not belong to a list. */
  pageOf(request: LoggedRequest): number | undefined {
    const query = queryOf(request);
    const token = query.get("continue") ?? "";
    if (token === "") return 1;
    const revision = revisionOf(token);
    // A negative revision continues an expired list at the newest state, and does not expire itself.
    if (revision === undefined || revision <= 0) return undefined;
    const { user, userAgent, path } = request;
    const selectors = [query.get("labelSelector"), query.get("fieldSelector")];
    return this.#numberOf(JSON.stringify([user, userAgent, path, ...selectors, revision]), token) + 2;
  }

  #numberOf(list: string, token: string): number {
    const tokens = this.#tokens.get(list) ?? [];
    const known = tokens.indexOf(token);
    if (known >= 0) return known;
    if (tokens.length === pagesKept || list.length + token.length > longestKept) return tokens.length;
    tokens.push(token);
    this.#tokens.set(list, tokens);
    const [oldest] = this.#tokens.keys();
    if (this.#tokens.size > listsKept && oldest !== undefined) this.#tokens.delete(oldest);
    return tokens.length - 1;
  }
}

/** The revision of the list that a token continues; undefined for an invalid token. */
function revisionOf(token: string): number | undefined {
  try {
    const fields = parseJson(decodeBase64Url(token));
    return isJsonObject(fields) ? Number(fields["rv"]) : undefined;
  } catch {
    return undefined;
  }
}
