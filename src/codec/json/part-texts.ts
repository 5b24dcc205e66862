import type { JsonObject, JsonValue } from "../../apimachinery/json.ts";
import { type Part, rememberedByLastPart } from "../../sharing/remembered-by-part.ts";
import { encodeJson } from "./json.ts";

/** No built-in kind has more fields. Custom resources may. */
const maxFields = 16;

/** How a field of an object is encoded. */
interface FieldWriter {
  /** The JSON text before the value. */
  readonly name: string;
  readonly textOf: (part: Part) => string;
}

/**
 * Encodes objects of one kind, one after the other. Objects that are created from one template share parts, so the text
 * of the last frozen part of each field is remembered.
 */
export class PartTexts {
  readonly #fields = new Map<string, FieldWriter>();

  /** Like `encodeJson`. */
  encode(object: JsonObject): string {
    let text = "";
    for (const name in object) {
      // JavaScript puts such keys first, and `encodeJson` restores their order.
      if (startsWithDigit(name)) return encodeJson(object);
      const value: JsonValue | undefined = object[name];
      if (value === undefined) continue;
      const field = this.#field(name);
      const isPart = typeof value === "object" && value !== null;
      text += `${text === "" ? "{" : ","}${field.name}${isPart ? field.textOf(value) : encodeJson(value)}`;
    }
    return text === "" ? "{}" : `${text}}`;
  }

  #field(name: string): FieldWriter {
    const known = this.#fields.get(name);
    if (known !== undefined) return known;
    const field: FieldWriter = { name: `${encodeJson(name)}:`, textOf: rememberedByLastPart(encodeJson) };
    if (this.#fields.size < maxFields) this.#fields.set(name, field);
    return field;
  }
}

function startsWithDigit(text: string): boolean {
  const code = text.charCodeAt(0);
  return code >= 0x30 && code <= 0x39;
}
