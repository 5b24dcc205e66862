import { structAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import { sha512Hex } from "../../apimachinery/sha.ts";
import { encodeJson } from "../../codec/json/json.ts";
import type { ApiView } from "../api-view.ts";

/**
 * The descriptions of types and fields in a Swagger document, such as the `/openapi/v2` of a real cluster. The documents
 * of this server have none of their own, because they are upstream's sentences.
 */
export class OpenApiDescriptions {
  /** The document that has them. */
  readonly swagger: JsonObject;
  readonly #derived = new WeakMap<ApiView, unknown>();
  #digest: string | undefined;

  constructor(swagger: JsonObject) {
    this.swagger = swagger;
  }

  /** Names the descriptions in the hashes of documents. */
  get digest(): string {
    this.#digest ??= sha512Hex(encodeJson(structAt(this.swagger, "definitions")));
    return this.#digest;
  }

  /** The result of `make` for a view with these descriptions, which is computed once. It must be the same function each time. */
  derived<T>(view: ApiView, make: (view: ApiView, descriptions: OpenApiDescriptions) => T): T {
    if (!this.#derived.has(view)) this.#derived.set(view, make(view, this));
    // `make` returned the value of its entry.
    return this.#derived.get(view) as T;
  }
}
