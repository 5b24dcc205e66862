import { badRequest } from "../apimachinery/errors/errors.ts";
import { goQuote } from "../apimachinery/go/go-quote.ts";
import type { QueryParameters } from "./query-parameters.ts";

const largestInt64 = 2n ** 63n - 1n;
const smallestInt64 = -(2n ** 63n);

/** The first value of a parameter; the empty string when it is absent. */
export function textValue(query: QueryParameters, name: string): string {
  return query.get(name) ?? "";
}

/** A boolean parameter that may be absent. */
export function optionalBoolean(query: QueryParameters, name: string): boolean | undefined {
  const value = query.get(name);
  return value === null ? undefined : isTrue(value);
}

/**
 * An integer parameter, as Go's ParseInt reads it; undefined when absent.
 * @throws {StatusError} badRequest with Go's text.
 */
export function optionalInteger(query: QueryParameters, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (!/^[+-]?\d+$/.test(text)) {
    throw badRequest(`strconv.ParseInt: parsing ${goQuote(text)}: invalid syntax`);
  }
  const value = BigInt(text.replace(/^\+/, ""));
  if (value > largestInt64 || value < smallestInt64) {
    throw badRequest(`strconv.ParseInt: parsing ${goQuote(text)}: value out of range`);
  }
  return Number(value);
}

/** A boolean parameter as upstream decodes it: present means true unless it says `0` or `false`. */
export function isTrue(value: string | null): boolean {
  return value !== null && value !== "0" && value.toLowerCase() !== "false";
}
