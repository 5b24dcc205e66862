/** The path of a field below another: `spec` and `replicas` give `spec.replicas`. */
export function child(path: string, ...names: readonly string[]): string {
  let field = path;
  for (const name of names) field = field === "" ? name : `${field}.${name}`;
  return field;
}

/** The path of an item of a list: `spec.containers[0]`. */
export function index(path: string, position: number): string {
  return `${path}[${position}]`;
}

/** The path of an entry of a map: `data[a b]`. */
export function key(path: string, name: string): string {
  return `${path}[${name}]`;
}
