import fastJsonPatch from "fast-json-patch";
import { type JsonValue, jsonCopy } from "../../src/apimachinery/json.ts";

/** An operation of a JSON patch. The value is JSON text, so that a test can choose its spelling. */
export interface Operation {
  readonly op: string;
  readonly path: string;
  readonly from?: string | undefined;
  readonly value?: string | undefined;
}

/** The text of a JSON patch. */
export function patchText(operations: readonly Operation[]): string {
  return `[${operations.map(operationText).join(",")}]`;
}

function operationText({ value, ...members }: Operation): string {
  const text = JSON.stringify(members);
  return value === undefined ? text : `${text.slice(0, -1)},"value":${value}}`;
}

/** The document after `fast-json-patch` has applied an operation. Throws if it does not apply. */
export function patchedByLibrary(document: JsonValue, operation: Operation): JsonValue {
  const [parsed] = JSON.parse(patchText([operation]));
  // The library modifies its arguments.
  const { newDocument } = fastJsonPatch.applyOperation(jsonCopy(document), parsed, true);
  // The result may contain itself or functions, which are not JSON.
  return JSON.parse(JSON.stringify(newDocument));
}
