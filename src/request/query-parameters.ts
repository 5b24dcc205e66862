/**
 * The parameters of a query, in order. An unpaired surrogate in a value stands for a byte that is not UTF-8 (see
 * `decodeUtf8KeepingBytes`); URLSearchParams cannot hold those.
 */
export interface QueryParameters extends Iterable<readonly [name: string, value: string]> {
  readonly get: (name: string) => string | null;
  readonly getAll: (name: string) => readonly string[];
  readonly has: (name: string) => boolean;
  readonly keys: () => Iterable<string>;
}

const none: readonly never[] = [];

/** The parameters of a target without a query, which most requests have. URLSearchParams would check itself in each call. */
export const noQuery: QueryParameters = {
  get: () => null,
  getAll: () => none,
  has: () => false,
  keys: () => none,
  [Symbol.iterator]: () => none[Symbol.iterator](),
};

/** The parameters with these names and values. */
export function queryOfPairs(pairs: readonly (readonly [name: string, value: string])[]): QueryParameters {
  const valuesOf = (name: string) => pairs.filter(([other]) => other === name).map(([, value]) => value);
  return {
    get: (name) => valuesOf(name)[0] ?? null,
    getAll: valuesOf,
    has: (name) => valuesOf(name).length > 0,
    keys: () => pairs.map(([name]) => name),
    [Symbol.iterator]: () => pairs[Symbol.iterator](),
  };
}

/** The parameters for code that needs all of URLSearchParams, where U+FFFD stands for a byte that is not UTF-8. */
export function searchParamsOf(query: QueryParameters): URLSearchParams {
  if (query instanceof URLSearchParams) return query;
  const parameters = new URLSearchParams();
  for (const [name, value] of query) parameters.append(name, value);
  return parameters;
}
