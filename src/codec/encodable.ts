import type { KubeObject } from "../apimachinery/object-meta.ts";

/** An object that remembers its encoded forms. A stored value is one; so is an answer that was never stored. */
export interface Encodable {
  readonly value: KubeObject;
  /** The bytes of a form, which the first call makes with `encode`. `form` names version and media type. */
  encoded(form: string, encode: (value: KubeObject) => Uint8Array): Uint8Array;
  /** Whether the bytes of a form are there already. */
  isEncoded(form: string): boolean;
}

/** An object that is answered once and not kept: a dry run, a review. */
export function transient(value: KubeObject): Encodable {
  return { value, encoded: (_form, encode) => encode(value), isEncoded: () => false };
}

/** A stored object as it is in another version. The stored object remembers the bytes. */
export function inOtherVersion(stored: Encodable, value: KubeObject): Encodable {
  return {
    value,
    encoded: (form, encode) => stored.encoded(form, () => encode(value)),
    isEncoded: (form) => stored.isEncoded(form),
  };
}
