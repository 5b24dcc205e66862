import type { KubeObject } from "../apimachinery/object-meta.ts";

/** An object that remembers its encoded forms. A stored value is one; so is an answer that was never stored. */
export interface Encodable {
  readonly value: KubeObject;
  /** The bytes of a form, made by `encode` when they are first asked for. `form` names version and media type. */
  encoded(form: string, encode: (value: KubeObject) => Uint8Array): Uint8Array;
}

/** An object that is answered once and not kept: a dry run, a review, a converted copy. */
export function transient(value: KubeObject): Encodable {
  return { value, encoded: (_form, encode) => encode(value) };
}
