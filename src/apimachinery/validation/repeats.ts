/**
 * For each value, whether an equal one stands before it. Takes linear time, unlike `values.indexOf(value) < i` for each
 * value of a list that a client has sent.
 */
export function repeats(values: readonly (string | number)[]): readonly boolean[] {
  const seen = new Set<string | number>();
  return values.map((value) => seen.size === seen.add(value).size);
}
