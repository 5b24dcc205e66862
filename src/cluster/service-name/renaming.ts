import { base64Of, bytesOfBase64 } from "../../apimachinery/base64.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import { decodeBase64Url, encodeBase64Url } from "../../codec/base64-url.ts";
import { encodeJson, parseJson } from "../../codec/json/json.ts";
import { masked, unmasked } from "./service-name.ts";

/** Renames what a text contains. */
export type Renaming = (text: string) => string;

/** The names of clients in place of the real ones, and back. */
export const toClient: Renaming = inTextAndTokens(masked, unmasked);
export const fromClient: Renaming = inTextAndTokens(unmasked, masked);

/** A JSON Web Token. The start must be that of a word: otherwise each `eyJ` in a long word would be tried. */
const token = /(?<![\w-])eyJ[\w-]+\.eyJ[\w-]+\.[\w-]+/.source;
/** A continue token of a list, and the empty list in the bookmark that ends initial events. */
const page = /(?<=\bcontinue(?:=|"?:\s*"?))eyJ[\w-]+/.source;
const blueprint = /(?<=-list-blueprint"?:\s*"?)eyJ[\w+/]+={0,2}/.source;
const encoded = new RegExp(`${token}|${page}|${blueprint}`, "g");

/** A renaming that also renames what base64 holds. The signatures of tokens stay, so the way back must lead to the same claims. */
function inTextAndTokens(rename: Renaming, back: Renaming): Renaming {
  return (text) => {
    if (!text.includes("eyJ")) return rename(text);
    let result = "";
    let end = 0;
    for (const { 0: found, index } of text.matchAll(encoded)) {
      result += rename(text.slice(end, index)) + renamedToken(found, rename, back);
      end = index + found.length;
    }
    return result + rename(text.slice(end));
  };
}

function renamedToken(found: string, rename: Renaming, back: Renaming): string {
  const [header = "", payload, signature] = found.split(".");
  return payload === undefined
    ? renamedBase64(header, rename, back)
    : [header, renamedBase64(payload, rename, back), signature].join(".");
}

function renamedBase64(base64: string, rename: Renaming, back: Renaming): string {
  const isPadded = /[+/=]/.test(base64);
  try {
    const json = textOf(isPadded ? bytesOfBase64(base64) : decodeBase64Url(base64));
    const renamed = rename(json);
    if (renamed === json || back(renamed) !== json) return base64;
    const bytes = new TextEncoder().encode(renamed);
    return isPadded ? base64Of(bytes) : encodeBase64Url(bytes);
  } catch {
    // It only looks like a token.
    return base64;
  }
}

/** A text body with other names. Bytes that are no text stay. */
export function renamedText(bytes: Uint8Array, rename: Renaming): Uint8Array {
  let text: string;
  try {
    text = textOf(bytes);
  } catch {
    return bytes;
  }
  const renamed = rename(text);
  return renamed === text ? bytes : new TextEncoder().encode(renamed);
}

/** @throws {TypeError} for bytes that are not UTF-8 */
function textOf(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}

/** An object whose keys and texts have other names. What a name stands for may depend on its key, so all are renamed in one text. */
export function renamedObject(object: JsonObject, rename: Renaming): JsonObject {
  const text = encodeJson(object);
  const renamed = rename(text);
  // Names in an object change nothing about its form.
  return renamed === text ? object : (parseJson(renamed) as JsonObject);
}
