import { structAt, textAt } from "../../apimachinery/fields.ts";
import { isJsonObject, type JsonObject } from "../../apimachinery/json.ts";
import { sha512Hex } from "../../apimachinery/sha.ts";
import { encodeJson } from "../../codec/json/json.ts";
import type { ApiView } from "../api-view.ts";

/**
 * The descriptions of types and fields in a Swagger document, such as the `/openapi/v2` of a real cluster. The documents
 * of this server have none of their own, because they are upstream's sentences.
 */
export class OpenApiDescriptions {
  readonly #swagger: JsonObject;
  readonly #derived = new WeakMap<ApiView, unknown>();
  #digest: string | undefined;

  constructor(swagger: JsonObject) {
    this.#swagger = swagger;
  }

  /** Names the descriptions in the hashes of documents. */
  get digest(): string {
    this.#digest ??= sha512Hex(encodeJson(structAt(this.#swagger, "definitions")));
    return this.#digest;
  }

  /** The result of `make` for a view with these descriptions, which is computed once. It must be the same function each time. */
  derived<T>(view: ApiView, make: (view: ApiView, descriptions: OpenApiDescriptions) => T): T {
    if (!this.#derived.has(view)) this.#derived.set(view, make(view, this));
    // `make` returned the value of its entry.
    return this.#derived.get(view) as T;
  }

  /** A document of `/openapi/v2` or `/openapi/v3` with the descriptions of its types and their fields. */
  describe(document: JsonObject): JsonObject {
    const { definitions, components } = document;
    if (isJsonObject(definitions)) return { ...document, definitions: this.#describeAll(definitions) };
    if (!isJsonObject(components)) return document;
    const schemas = this.#describeAll(structAt(components, "schemas"));
    return { ...document, components: { ...components, schemas } };
  }

  #describeAll(definitions: JsonObject): JsonObject {
    const described = Object.entries(definitions).map(([name, definition]) => {
      const source = structAt(this.#swagger, "definitions", name);
      return [name, isJsonObject(definition) ? describeType(definition, source) : definition] as const;
    });
    return Object.fromEntries(described);
  }
}

function describeType(definition: JsonObject, source: JsonObject): JsonObject {
  const { properties } = definition;
  if (!isJsonObject(properties)) return withDescription(definition, source);
  const described = Object.entries(properties).map(([name, property]) => {
    const field = structAt(source, "properties", name);
    return [name, isJsonObject(property) ? withDescription(property, field) : property] as const;
  });
  return withDescription({ ...definition, properties: Object.fromEntries(described) }, source);
}

function withDescription(schema: JsonObject, source: JsonObject): JsonObject {
  const description = textAt(source, "description");
  return description === "" ? schema : { description, ...schema };
}
