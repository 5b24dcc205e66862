import { getKey, type JsonObject, type JsonValue } from "../../apimachinery/json.ts";
import { jsonKind } from "../../schema/decode-state.ts";

/** A claim has another type than the one that is needed, or is missing. The message is Go's. */
export class ClaimError extends Error {
  override readonly name = "ClaimError";
}

/** The text of a claim, as Go unmarshals it: null is empty. @throws {ClaimError} */
export function textClaim(claims: JsonObject, name: string): string {
  const value = presentClaim(claims, name);
  if (typeof value === "string") return value;
  if (value === null) return "";
  throw mismatch(value, "string");
}

/** The boolean of a claim, as Go unmarshals it: null is false. @throws {ClaimError} */
export function booleanClaim(claims: JsonObject, name: string): boolean {
  const value = presentClaim(claims, name);
  if (typeof value === "boolean") return value;
  if (value === null) return false;
  throw mismatch(value, "bool");
}

/** The texts of a claim that is a text or a list of texts. @throws {ClaimError} */
export function textsClaim(claims: JsonObject, name: string): readonly string[] {
  const value = presentClaim(claims, name);
  if (value === null) return [];
  if (typeof value === "string") return [value];
  if (!Array.isArray(value)) throw mismatch(value, "string");
  return value.map((item) => {
    if (typeof item === "string") return item;
    if (item === null) return "";
    throw mismatch(value, "string");
  });
}

/**
 * The seconds of a claim that is a time, which may have a fraction or be written as text; undefined without it.
 * @throws {ClaimError}
 */
export function timeClaim(claims: JsonObject, name: string): number | undefined {
  const value = getKey(claims, name);
  if (value === undefined || value === null) return undefined;
  const seconds = typeof value === "string" && value !== "" ? Number(value) : value;
  if (typeof seconds === "number" && Number.isFinite(seconds)) return Math.trunc(seconds);
  if (typeof value === "string") {
    throw new ClaimError(
      `json: invalid number literal, trying to unmarshal ${JSON.stringify(JSON.stringify(value))} into Number`,
    );
  }
  throw mismatch(value, "json.Number");
}

function presentClaim(claims: JsonObject, name: string): JsonValue {
  const value = getKey(claims, name);
  if (value === undefined) throw new ClaimError("claim not present");
  return value;
}

function mismatch(value: JsonValue, goType: string): ClaimError {
  return new ClaimError(`json: cannot unmarshal ${jsonKind(value)} into Go value of type ${goType}`);
}
