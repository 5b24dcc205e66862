import { DecodeError } from "../apimachinery/decode-error.ts";
import { NumberLiteral, type ParsedJson, StrictErrors } from "../apimachinery/go/parsed-json.ts";

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

/** A field on the way to the value being decoded. */
export interface FieldStep {
  readonly name: string;
  /** The Go structure the field was found in. */
  readonly owner: string;
}

/** A field, the index of an item, or the key of a map's entry. */
export type Step = FieldStep | number | string;

/**
 * Where a decode has got to and what it found wrong. As in Go, the first mismatch is remembered and decoding goes on;
 * what a type's own reader refuses is thrown at once, and so wins.
 */
export class DecodeState {
  /** Pushed and popped by the decoders; an error leaves it as it is. */
  readonly path: Step[] = [];
  readonly strictErrors: StrictErrors = new StrictErrors();
  #firstError: DecodeError | undefined;

  get firstError(): DecodeError | undefined {
    return this.#firstError;
  }

  save(error: DecodeError): void {
    this.#firstError ??= error;
  }

  /** Remembers that the value is no `goType`. */
  mismatch(value: ParsedJson, goType: string): void {
    this.save(this.typeMismatch(jsonKind(value), goType));
  }

  /** The error for a value that is no `goType`, with the field it stands in. */
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

  /** Notes an unknown or repeated key of the object at the current path. */
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
