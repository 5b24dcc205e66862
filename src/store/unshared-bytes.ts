/** The estimated heap of an object without its members, and of a member without its value, in bytes. */
const objectBytes = 24;
const memberBytes = 8;

/**
 * The estimated heap, in bytes, of the parts of a frozen value that `other` does not have at the same place. It does not
 * enter shared parts, so the estimate for two versions of an object costs little more than their difference. A text
 * counts even if `other` has an equal one, because the two are seldom the same string in memory.
 */
export function unsharedBytes(value: object, other: unknown): number {
  if (value === other) return 0;
  // Both are read by key or by index only, which every value but null and undefined allows.
  const members = value as Readonly<Record<string, unknown>>;
  const others = other as Readonly<Record<string, unknown>> | null | undefined;
  let bytes = objectBytes;
  if (Array.isArray(value)) {
    const items: readonly unknown[] | undefined = Array.isArray(other) ? other : undefined;
    for (let i = 0; i < value.length; i++) {
      const item: unknown = value[i];
      bytes += memberBytes;
      if (typeof item === "string") bytes += bytesOfText(item);
      else if (typeof item === "object" && item !== null) bytes += unsharedBytes(item, items?.[i]);
    }
    return bytes;
  }
  for (const key in members) {
    const member = members[key];
    bytes += memberBytes + key.length;
    if (typeof member === "string") bytes += bytesOfText(member);
    else if (typeof member === "object" && member !== null) bytes += unsharedBytes(member, others?.[key]);
  }
  return bytes;
}

function bytesOfText(text: string): number {
  return objectBytes + text.length;
}
