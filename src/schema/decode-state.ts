import { DecodeError } from "../apimachinery/decode-error.ts";
import { NumberLiteral, type ParsedJson, StrictErrors } from "../apimachinery/go/parsed-json.ts";
import { QuantityRecord } from "./sent-quantities.ts";

/** A value of the wrong JSON type, or a number that does not fit. */
export class TypeMismatch extends DecodeError {
  /** What was sent: `string`, `number 1.5`. */
  readonly sent: string;
  readonly goType: string;

  constructor(sent: string, goType: string, target: string) {
    super(`json: cannot unmarshal ${sent} into ${target} of type ${goType}`);
    this.sent = sent;
    this.goType = goType;
  }
}

/** A field on the path to the decoded value. */
export interface FieldStep {
  readonly name: string;
  /** The Go struct of the field. */
  readonly owner: string;
}

/** A field, the index of an item, or the key of a map's entry. */
export type Step = FieldStep | number | string;

/**
 * The path and the errors of a decode. As in Go, the first mismatch is stored and decoding continues; an error of a
 * type's own decoder is thrown at once and takes precedence.
 */
export class DecodeState {
  /** The decoders push and pop it; after an error it stays as it is. */
  readonly path: Step[] = [];
  readonly strictErrors: StrictErrors = new StrictErrors();
  #firstError: DecodeError | undefined;
  #quantities: QuantityRecord | undefined;

  get firstError(): DecodeError | undefined {
    return this.#firstError;
  }

  save(error: DecodeError): void {
    this.#firstError ??= error;
  }

  /** The quantities that were not sent in their canonical form; undefined if there are none. */
  get quantities(): QuantityRecord | undefined {
    return this.#quantities;
  }

  /** Records a quantity that was not sent in its canonical form. */
  recordQuantity(text: string): void {
    this.#quantities ??= new QuantityRecord();
    this.#quantities.add(text);
  }

  /** Stores a mismatch: the value is not a `goType`. */
  mismatch(value: ParsedJson, goType: string): void {
    this.save(this.typeMismatch(jsonKind(value), goType));
  }

  /** The error for a value that is not a `goType`, with its field. */
  typeMismatch(sent: string, goType: string): TypeMismatch {
    const fields = this.path.filter((step) => typeof step === "object");
    const owner = fields.at(-1)?.owner;
    const names = fields.map((field) => field.name).join(".");
    return new TypeMismatch(
      sent,
      goType,
      owner === undefined ? "Go value" : `Go struct field ${owner}.${names}`,
    );
  }

  /** Records an unknown or duplicate key of the object at the current path. */
  strict(what: "unknown field" | "duplicate field", key: string): void {
    if (this.strictErrors.isFull) return;
    let path = "";
    for (const step of this.path) {
      if (typeof step === "number") path += `[${step}]`;
      else path += `${path === "" ? "" : "."}${typeof step === "string" ? step : step.name}`;
    }
    this.strictErrors.add(what, path === "" ? key : `${path}.${key}`);
  }
}

/** What Go calls the JSON type of a value. */
export function jsonKind(value: ParsedJson): string {
  switch (typeof value) {
    case "string":
      return "string";
    case "boolean":
      return "bool";
    case "number":
    case "bigint":
      return "number";
  }
  if (value instanceof NumberLiteral) return "number";
  return Array.isArray(value) ? "array" : "object";
}
