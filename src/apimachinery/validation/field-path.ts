/** The path of a nested field: `spec` and `replicas` give `spec.replicas`. */
export function child(path: string, ...names: readonly string[]): string {
  let field = path;
  for (const name of names) field = field === "" ? name : `${field}.${name}`;
  return field;
}

/** The path of a list item: `spec.containers[0]`. */
export function index(path: string, position: number): string {
  return `${path}[${position}]`;
}

/** The path of a map entry: `data[a b]`. */
export function key(path: string, name: string): string {
  return `${path}[${name}]`;
}
