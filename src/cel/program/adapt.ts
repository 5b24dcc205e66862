import { DecodeError } from "../../apimachinery/decode-error.ts";
import { parseDuration } from "../../apimachinery/duration.ts";
import type { CelType } from "../types/cel-type.ts";
import { celError } from "../values/cel-error.ts";
import { isList, isPlainObject } from "../values/containers.ts";
import { double, isInt } from "../values/numbers.ts";
import { durationOf } from "../values/times.ts";
import { parseTimestamp } from "../values/timestamp-text.ts";
import type { CelValue } from "../values/value.ts";

/** Makes a value of JSON the value that its declared type means. A value of the type stays as it is. */
export type Adapter = (value: CelValue) => CelValue;

/**
 * The adapter of a type; undefined if values of JSON are its values, which holds for all objects: their fields are
 * adapted when they are selected.
 */
export function adapterOf(type: CelType): Adapter | undefined {
  switch (type.kind) {
    case "double":
      return (value) => (isInt(value) ? double(Number(value)) : value);
    case "bytes":
      return (value) => (typeof value === "string" ? bytesOf(value) : value);
    case "timestamp":
      return (value) => (typeof value === "string" ? timestampOf(value) : value);
    case "duration":
      return (value) => (typeof value === "string" ? durationOfText(value) : value);
    case "list":
      return listAdapter(type.parameters[0]);
    case "map":
      return mapAdapter(type.parameters[1]);
    default:
      return undefined;
  }
}

function listAdapter(element: CelType | undefined): Adapter | undefined {
  const adapt = element && adapterOf(element);
  return adapt && ((value) => (isList(value) ? value.map(adapt) : value));
}

function mapAdapter(element: CelType | undefined): Adapter | undefined {
  const adapt = element && adapterOf(element);
  if (adapt === undefined) return undefined;
  return (value) => {
    if (!isPlainObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, adapt(item)]));
  };
}

function bytesOf(text: string): CelValue {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return celError(`illegal base64 data in ${JSON.stringify(text)}`);
  }
}

/** A date-time, or a date at midnight in UTC. */
function timestampOf(text: string): CelValue {
  const parsed = parseTimestamp(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text);
  return parsed === undefined || parsed === "overflow"
    ? celError(`invalid date or time ${JSON.stringify(text)}`)
    : parsed;
}

function durationOfText(text: string): CelValue {
  try {
    return durationOf(parseDuration(text)) ?? celError(`invalid duration ${JSON.stringify(text)}`);
  } catch (error) {
    if (error instanceof DecodeError) return celError(`invalid duration ${JSON.stringify(text)}`);
    throw error;
  }
}
