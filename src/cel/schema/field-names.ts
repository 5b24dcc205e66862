/** Words of the language, which no field name may be (apiserver, pkg/cel/escaping.go). */
const reserved: ReadonlySet<string> = new Set([
  ..."true false null in as break const continue else for function if import let loop package namespace".split(
    " ",
  ),
  ..."return var void while".split(" "),
]);

const escapes: ReadonlyMap<string, string> = new Map([
  ["__", "__underscores__"],
  [".", "__dot__"],
  ["-", "__dash__"],
  ["/", "__slash__"],
]);

/** How an expression names a property: `foo-bar` is `foo__dash__bar`. Undefined if it cannot name it at all. */
export function escapeFieldName(name: string): string | undefined {
  if (reserved.has(name)) return `__${name}__`;
  if (!/^[A-Za-z_./-][A-Za-z0-9_./-]*$/.test(name)) return undefined;
  return name.replace(/__|[-./]/g, (part) => escapes.get(part) ?? part);
}

const unescapes: ReadonlyMap<string, string> = new Map(
  Array.from(escapes, ([part, written]): [string, string] => [written, part]),
);

/** The property that an expression names: `foo__dash__bar` is `foo-bar`. Undefined for an escape that does not exist. */
export function unescapeFieldName(name: string): string | undefined {
  let isValid = true;
  const unescaped = name.replace(/__([^_]+)__/g, (written, word: string) => {
    const part = unescapes.get(written) ?? (reserved.has(word) && written === name ? word : undefined);
    if (part === undefined) isValid = false;
    return part ?? "";
  });
  return isValid ? unescaped : undefined;
}
