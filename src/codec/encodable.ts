import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { EncodingUse } from "../store/stored-value.ts";

/** An object that caches its encoded forms: a stored value, or a response that is not stored. */
export interface Encodable {
  readonly value: KubeObject;
  /** The bytes of a form. The first call creates them with `encode`. `form` names version and media type. */
  encoded(form: string, encode: (value: KubeObject) => Uint8Array, use?: EncodingUse): Uint8Array;
  /** Whether the bytes of a form are cached. */
  isEncoded(form: string): boolean;
}

/** An object that is sent once and not kept, such as the result of a dry run or a review. */
export function transient(value: KubeObject): Encodable {
  return { value, encoded: (_form, encode) => encode(value), isEncoded: () => false };
}

/** A stored object in another version. The stored object caches the bytes. */
export function inOtherVersion(stored: Encodable, value: KubeObject): Encodable {
  return {
    value,
    encoded: (form, encode, use) => stored.encoded(form, () => encode(value), use),
    isEncoded: (form) => stored.isEncoded(form),
  };
}
