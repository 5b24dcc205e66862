import { badRequest } from "../errors/errors.ts";
import { compareText } from "../text-order.ts";

/** One requirement of a field selector. */
export interface FieldRequirement {
  readonly field: string;
  readonly operator: "=" | "!=";
  readonly value: string;
}

/** Selects objects by fields. */
export interface FieldSelector {
  /** Whether it matches every object. */
  readonly isEmpty: boolean;
  /** The requirements, all of which must match. */
  readonly requirements: readonly FieldRequirement[];
  /** `get` returns the value of a field; a missing value is the empty string. */
  readonly matches: (get: (field: string) => string) => boolean;
  /** The only value that the field can have in a match, if there is one. */
  readonly requiresExactMatch: (field: string) => string | undefined;
  /** The selector in the syntax of a query. */
  readonly text: string;
}

/**
 * Converts a field and a value of a version for a kind. @throws {StatusError} badRequest if the kind does not support
 * the field
 */
export type FieldLabelConversion = (field: string, value: string) => readonly [field: string, value: string];

/** A selector of these requirements. */
export function fieldSelector(requirements: readonly FieldRequirement[]): FieldSelector {
  return {
    isEmpty: requirements.length === 0,
    requirements,
    matches: (get) => {
      for (const { field, operator, value } of requirements) {
        if ((get(field) === value) !== (operator === "=")) return false;
      }
      return true;
    },
    requiresExactMatch: (field) =>
      requirements.find((requirement) => requirement.field === field && requirement.operator === "=")?.value,
    text: requirements
      .map(({ field, operator, value }) => `${field}${operator}${escapeFieldValue(value)}`)
      .join(","),
  };
}

/** Matches every object. */
const everyField: FieldSelector = fieldSelector([]);

/**
 * Parses a selector of a query.
 * @throws {StatusError} badRequest for a syntax error
 */
export function parseFieldSelector(text: string): FieldSelector {
  if (text === "") return everyField;
  const requirements: FieldRequirement[] = [];
  for (const term of splitTerms(text).sort(compareText)) {
    if (term === "") continue;
    const match = /!=|==?/.exec(term);
    if (match === null) throw badRequest(`invalid selector: '${text}'; can't understand '${term}'`);
    const [operator] = match;
    requirements.push({
      field: term.slice(0, match.index),
      operator: operator === "!=" ? "!=" : "=",
      value: unescapeFieldValue(term.slice(match.index + operator.length)),
    });
  }
  return fieldSelector(requirements.filter(isRestriction));
}

/**
 * Converts the fields of a selector for a kind.
 * @throws {StatusError} badRequest for a field that the kind does not support
 */
export function convertFieldSelector(selector: FieldSelector, convert: FieldLabelConversion): FieldSelector {
  if (selector.isEmpty) return selector;
  const converted = selector.requirements.map(({ field, operator, value }): FieldRequirement => {
    const [newField, newValue] = convert(field, value);
    return { field: newField, operator, value: newValue };
  });
  return fieldSelector(converted.filter(isRestriction));
}

/** Escapes a value for a field selector. */
export function escapeFieldValue(value: string): string {
  return value.replace(/[\\,=]/g, "\\$&");
}

/** A requirement without a field and a value, such as `=`, matches everything. */
function isRestriction({ field, value }: FieldRequirement): boolean {
  return field !== "" || value !== "";
}

/** Splits at the commas that no backslash precedes. */
function splitTerms(text: string): string[] {
  const terms: string[] = [];
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    const character = text.charAt(i);
    if (character === "\\") {
      i++;
    } else if (character === ",") {
      terms.push(text.slice(start, i));
      start = i + 1;
    }
  }
  terms.push(text.slice(start));
  return terms;
}

function unescapeFieldValue(text: string): string {
  if (!/[\\,=]/.test(text)) return text;
  let value = "";
  let isEscaped = false;
  for (const character of text) {
    const isSpecial = character === "\\" || character === "," || character === "=";
    if (isEscaped) {
      if (!isSpecial) throw invalidEscape(`\\${character}`);
      value += character;
      isEscaped = false;
    } else if (character === "\\") {
      isEscaped = true;
    } else if (isSpecial) {
      const code = character.codePointAt(0);
      throw badRequest(`invalid field selector: unescaped character in value: ${code}`);
    } else {
      value += character;
    }
  }
  if (isEscaped) throw invalidEscape("\\");
  return value;
}

function invalidEscape(sequence: string): Error {
  return badRequest(`invalid field selector: invalid escape sequence: ${sequence}`);
}
