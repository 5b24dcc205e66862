import { base64Of } from "../../../apimachinery/base64.ts";
import type { Library } from "../../environment/declarations.ts";
import { declare, global } from "../../environment/declare.ts";
import { types } from "../../types/cel-type.ts";
import { celError } from "../../values/cel-error.ts";
import type { CelValue } from "../../values/value.ts";
import { unary } from "../arguments.ts";
import { isBytes, isString } from "../guards.ts";

const { bytes, string } = types;

/** base64.encode and base64.decode, which Kubernetes does not have. */
export const encoders: Library = {
  functions: [
    declare("base64.encode", global("base64_encode_bytes", [bytes], string, unary(isBytes, base64Of))),
    declare("base64.decode", global("base64_decode_string", [string], bytes, unary(isString, decoded))),
  ],
};

/** Padding may be missing. */
function decoded(text: string): CelValue {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return celError(`illegal base64 data in ${JSON.stringify(text)}`);
  }
}
