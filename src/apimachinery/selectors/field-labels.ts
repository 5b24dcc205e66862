import { badRequest } from "../errors/errors.ts";
import { goQuote } from "../go/go-quote.ts";
import type { FieldLabelConversion } from "./field-selector.ts";

/** The message of a kind for an unsupported field. */
export type UnsupportedFieldMessage = (field: string) => string;

/** The message of kinds with a list of supported fields. */
export const fieldLabelNotSupported: UnsupportedFieldMessage = (field) =>
  `field label not supported: ${field}`;

/** The message of Job, which includes the name of the kind. */
export function fieldLabelNotSupportedFor(kind: string): UnsupportedFieldMessage {
  return (field) => `field label ${goQuote(field)} not supported for ${kind}`;
}

/** The message of kinds that support only the name and the namespace. */
export const notAKnownFieldSelector: UnsupportedFieldMessage = (field) =>
  `${goQuote(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`;

/**
 * The conversion of a kind that supports these fields. Aliases are field names of this version that stand for others.
 */
export function fieldLabels(
  supported: readonly string[],
  unsupported: UnsupportedFieldMessage,
  aliases: ReadonlyMap<string, string> = new Map(),
): FieldLabelConversion {
  const known = new Set(supported);
  return (field, value) => {
    const alias = aliases.get(field);
    if (alias === undefined && !known.has(field)) throw badRequest(unsupported(field));
    return [alias ?? field, value];
  };
}

/** The conversion of kinds that support only metadata fields. */
export const metadataFieldLabels: FieldLabelConversion = fieldLabels(
  ["metadata.name", "metadata.namespace"],
  notAKnownFieldSelector,
);
