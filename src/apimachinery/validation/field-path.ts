/** The path of a nested field: `spec` and `replicas` give `spec.replicas`. */
export function child(path: string, ...names: readonly string[]): string {
  let field = path;
  // An index takes a third of the code of an iterator, which the compiler copies to each of hundreds of calls.
  for (let i = 0; i < names.length; i++) field = field === "" ? `${names[i]}` : `${field}.${names[i]}`;
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
