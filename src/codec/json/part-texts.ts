import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type MutableJsonObject,
  setKey,
} from "../../apimachinery/json.ts";
import { type Part, rememberedByLastPart } from "../../sharing/remembered-by-part.ts";
import { encodeJson } from "./json.ts";

/** No built-in kind has more fields. Custom resources may. */
const maxFields = 16;

/** How many entries of managedFields. An object has few, and a write changes one of them. */
const managersRemembered = 4;

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
  readonly #managedText = rememberedByLastPart(encodeJson, managersRemembered);

  /** Like `encodeJson`. */
  encode(object: JsonObject): string {
    let text = "";
    for (const name in object) {
      // JavaScript puts such keys first, and `encodeJson` restores their order.
      if (startsWithDigit(name)) return encodeJson(object);
      const value: JsonValue | undefined = object[name];
      if (value === undefined) continue;
      const field = this.#field(name);
      text += `${text === "" ? "{" : ","}${field.name}${this.#textOf(field, name, value)}`;
    }
    return text === "" ? "{}" : `${text}}`;
  }

  #textOf(field: FieldWriter, name: string, value: JsonValue): string {
    if (typeof value !== "object" || value === null) return encodeJson(value);
    return name === "metadata" && isJsonObject(value) ? this.#metadataText(value) : field.textOf(value);
  }

  /** Each object has other metadata, but half of the work of a small object are managedFields that many have. */
  #metadataText(metadata: JsonObject): string {
    const { managedFields } = metadata;
    if (!Array.isArray(managedFields)) return encodeJson(metadata);
    const others: MutableJsonObject = {};
    let last = "";
    for (const name in metadata) {
      last = name;
      if (startsWithDigit(name)) return encodeJson(metadata);
      if (name !== "managedFields") setKey(others, name, metadata[name] ?? null);
    }
    const text = encodeJson(others);
    if (last !== "managedFields" || text === "{}") return encodeJson(metadata);
    return `${text.slice(0, -1)},"managedFields":[${managedFields.map((entry) => this.#entryText(entry)).join()}]}`;
  }

  #entryText(entry: JsonValue): string {
    return isJsonObject(entry) ? this.#managedText(entry) : encodeJson(entry);
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
