import { aggregateText } from "../../../apimachinery/errors/aggregate.ts";
import { fieldCauses, formatFieldError } from "../../../apimachinery/errors/field.ts";
import { noGoTypes } from "../../../apimachinery/go/go-shape.ts";
import { goTypeOf } from "../../../apimachinery/go/go-text.ts";
import { isJsonObject, type JsonObject, type JsonValue, jsonEqual } from "../../../apimachinery/json.ts";
import type { MutableObjectMeta, ObjectMeta } from "../../../apimachinery/object-meta.ts";
import type { Since } from "../../../apimachinery/release.ts";
import { collectErrors } from "../../../apimachinery/validation/findings.ts";
import { addLabelErrors } from "../../../apimachinery/validation/label-errors.ts";
import { addAnnotationErrors } from "../../../apimachinery/validation/object-meta-validation.ts";

/** The answer of a webhook that converts cannot be used. The message is what upstream says of it. */
export class ConversionError extends Error {
  override readonly name = "ConversionError";
}

/**
 * The metadata of the original with the labels and annotations of the converted object: a conversion may change nothing
 * else. Upstream: restoreObjectMeta.
 * @throws {ConversionError} that starts with `words`
 */
export function withConvertedMetadata(
  original: ObjectMeta,
  converted: JsonValue | undefined,
  words: string,
  since: Since,
): ObjectMeta {
  const fail = (text: string) => new ConversionError(`${words}: ${text}`);
  if (converted === undefined) throw fail("missing metadata in converted object");
  if (!isJsonObject(converted))
    throw fail(`invalid metadata of type ${goType(converted)} in converted object`);
  const metadata: MutableObjectMeta = { ...original };
  for (const field of ["labels", "annotations"] as const) {
    const value = converted[field] ?? null;
    if (value === null) {
      delete metadata[field];
      continue;
    }
    if (!isJsonObject(value)) {
      throw fail(`invalid metadata.${field} of type ${goType(value)} in converted object`);
    }
    metadata[field] = textsOf(value, field, fail);
    if (jsonEqual(original[field] ?? {}, value)) continue;
    const problem = problemOf(field, metadata[field], since);
    if (problem !== undefined) throw fail(problem);
  }
  return metadata;
}

type Texts = { readonly [key: string]: string };

function textsOf(value: JsonObject, field: string, fail: (text: string) => ConversionError): Texts {
  for (const [key, text] of Object.entries(value)) {
    if (typeof text === "string") continue;
    throw fail(`metadata.${field}[${key}] must be a string, but is ${goType(text)} in converted object`);
  }
  // All values are texts.
  return value as Texts;
}

function problemOf(field: "labels" | "annotations", texts: Texts, since: Since): string | undefined {
  const errors = collectErrors((found) => {
    if (field === "labels") addLabelErrors(found, texts, "metadata.labels");
    else addAnnotationErrors(found, texts, "metadata.annotation");
  });
  return errors.length === 0
    ? undefined
    : aggregateText(fieldCauses(errors, since, noGoTypes).map(formatFieldError));
}

function goType(value: JsonValue): string {
  return goTypeOf(value) ?? "<nil>";
}
