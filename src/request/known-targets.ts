import { parseRequestInfo, type RequestInfo } from "./request-info.ts";
import { parseTarget, type RequestTarget } from "./request-target.ts";

/** The parsed first line of a request. */
export interface ReadTarget extends RequestTarget {
  readonly info: RequestInfo;
}

const maxKnown = 1000;
const longestKnown = 500;

/** Parses the first lines of requests and remembers the latest, because clients repeat them. */
export class KnownTargets {
  readonly #known = new Map<string, Map<string, ReadTarget>>();
  #size = 0;

  /**
   * @throws {MalformedTargetError} the path is not valid percent-encoding
   * @throws {UnresolvableRequestError} a legacy prefix without a path after it
   */
  read(method: string, target: string): ReadTarget {
    const known = this.#known.get(method)?.get(target);
    if (known !== undefined) return known;
    const parsed = parseTarget(target);
    const read = { ...parsed, info: parseRequestInfo(method, parsed.path, parsed.query) };
    // A query is a mutable object and is rarely repeated.
    if (target.length <= longestKnown && !target.includes("?")) this.#keep(method, target, read);
    return read;
  }

  #keep(method: string, target: string, read: ReadTarget): void {
    if (this.#size === maxKnown) {
      this.#known.clear();
      this.#size = 0;
    }
    const targets = this.#known.get(method) ?? new Map<string, ReadTarget>();
    this.#known.set(method, targets.set(target, read));
    this.#size += 1;
  }
}
