import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { EncodingUse, KeptBytes } from "../store/stored-value.ts";

/** An object that caches its encoded forms: a stored value, or a response that is not stored. */
export interface Encodable {
  readonly value: KubeObject;
  /** The bytes of a form. The first call creates them with `encode`. `form` names version and media type. */
  encoded(form: string, encode: (value: KubeObject) => Uint8Array, use?: EncodingUse): Uint8Array;
  /** Whether the bytes of a form are cached. */
  isEncoded(form: string): boolean;
  /** The bytes of a form as they are cached, if they are. */
  kept(form: string): KeptBytes | undefined;
  /** Caches the bytes of a form in another way. */
  keep(form: string, bytes: KeptBytes): void;
}

/** An object that is sent once and not kept, such as the result of a dry run or a review. */
export function transient(value: KubeObject): Encodable {
  const encoded: Encodable["encoded"] = (_form, encode) => encode(value);
  return { value, encoded, isEncoded: () => false, kept: () => undefined, keep: () => {} };
}

/** A stored object in another version. The stored object caches the bytes. */
export function inOtherVersion(stored: Encodable, value: KubeObject): Encodable {
  return {
    value,
    encoded: (form, encode, use) => stored.encoded(form, () => encode(value), use),
    isEncoded: (form) => stored.isEncoded(form),
    kept: (form) => stored.kept(form),
    keep: (form, bytes) => stored.keep(form, bytes),
  };
}
