/**
 * Which controllers run, by the list of `--controllers`: `*` stands for all, `name` switches one on and `-name` one
 * off, whatever else is said. An empty list runs none.
 */
export function isControllerEnabled(name: string, list: readonly string[]): boolean {
  if (list.includes(`-${name}`)) return false;
  return list.includes(name) || list.includes("*");
}
