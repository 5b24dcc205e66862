import { badRequest } from "../errors/errors.ts";
import { goQuote } from "../go/go-quote.ts";
import type { FieldLabelConversion } from "./field-selector.ts";

/** How a kind refuses a field that it does not offer. */
export type UnsupportedFieldMessage = (field: string) => string;

/** The words of kinds that list their fields. */
export const fieldLabelNotSupported: UnsupportedFieldMessage = (field) =>
  `field label not supported: ${field}`;

/** The words of Job, which names itself. */
export function fieldLabelNotSupportedFor(kind: string): UnsupportedFieldMessage {
  return (field) => `field label ${goQuote(field)} not supported for ${kind}`;
}

/** The words of kinds that offer only the name and the namespace. */
export const notAKnownFieldSelector: UnsupportedFieldMessage = (field) =>
  `${goQuote(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`;

/** The conversion of a kind that offers these fields. Aliases are names of this version for what is kept under others. */
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

/** The conversion of kinds without fields of their own. */
export const metadataFieldLabels: FieldLabelConversion = fieldLabels(
  ["metadata.name", "metadata.namespace"],
  notAKnownFieldSelector,
);
