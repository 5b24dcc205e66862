/** The key of an extra in the name of a header. It is percent-encoded, because such a name cannot have slashes; an invalid one stays as it is. */
export function extraKey(escaped: string): string {
  try {
    return decodeURIComponent(escaped);
  } catch {
    return escaped;
  }
}
