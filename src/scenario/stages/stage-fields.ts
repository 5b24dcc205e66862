import { messageOf } from "../../apimachinery/errors/message-of.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json.ts";
import { unknownName } from "../../apimachinery/option-checks.ts";

/** The fields of an object at a path, for errors that name them. An unknown field is an error. */
export class StageFields {
  readonly path: string;
  readonly #object: JsonObject;

  /** @throws {Error} for what is no object, and for another field than those that are known */
  constructor(value: JsonValue | undefined, path: string, known: readonly string[]) {
    if (!isJsonObject(value)) throw new Error(`${path}: must be an object`);
    this.#object = value;
    this.path = path;
    for (const name of Object.keys(this.#object))
      if (!known.includes(name)) throw unknownName(`${path}: unknown field`, name, known);
  }

  has(name: string): boolean {
    return this.#get(name) !== undefined;
  }

  object(name: string, known: readonly string[]): StageFields | undefined {
    return this.has(name) ? new StageFields(this.#get(name), this.at(name), known) : undefined;
  }

  objects(name: string, known: readonly string[]): readonly StageFields[] {
    return this.#list(name).map(
      (value, index) => new StageFields(value, `${this.at(name)}[${index}]`, known),
    );
  }

  text(name: string, unset = ""): string {
    const value = this.#get(name) ?? unset;
    if (typeof value !== "string") throw new Error(`${this.at(name)}: must be text`);
    return value;
  }

  /** @throws {Error} that lists the choices, for another one */
  choice<Choice extends string>(name: string, choices: readonly Choice[], unset: Choice): Choice {
    const value = this.text(name, unset);
    const choice = choices.find((one) => one === value);
    if (choice === undefined) throw unknownName(`${this.at(name)}: not supported:`, value, choices);
    return choice;
  }

  texts(name: string): readonly string[] {
    return this.#list(name).map((value) => {
      if (typeof value !== "string") throw new Error(`${this.at(name)}: must be a list of texts`);
      return value;
    });
  }

  /** An integer that is not negative, or undefined. */
  size(name: string): number | undefined {
    const value = this.#get(name);
    if (value === undefined) return undefined;
    if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0)
      throw new Error(`${this.at(name)}: must be an integer that is not negative`);
    return value;
  }

  truth(name: string): boolean {
    const value = this.#get(name) ?? false;
    if (typeof value !== "boolean") throw new Error(`${this.at(name)}: must be true or false`);
    return value;
  }

  map(name: string): readonly (readonly [key: string, value: string])[] {
    const value = this.#get(name) ?? {};
    if (!isJsonObject(value)) throw new Error(`${this.at(name)}: must be an object`);
    return Object.entries(value).map(([key, entry]) => {
      if (typeof entry !== "string") throw new Error(`${this.at(name)}[${key}]: must be text`);
      return [key, entry];
    });
  }

  at(name: string): string {
    return `${this.path}.${name}`;
  }

  /** Does something, and says in errors where. */
  within<T>(name: string, make: () => T): T {
    try {
      return make();
    } catch (error) {
      throw new Error(`${this.at(name)}: ${messageOf(error)}`);
    }
  }

  /** Null is not set. */
  #get(name: string): JsonValue | undefined {
    return (Object.hasOwn(this.#object, name) ? this.#object[name] : undefined) ?? undefined;
  }

  #list(name: string): readonly JsonValue[] {
    const value = this.#get(name) ?? [];
    if (!Array.isArray(value)) throw new Error(`${this.at(name)}: must be a list`);
    return value;
  }
}
