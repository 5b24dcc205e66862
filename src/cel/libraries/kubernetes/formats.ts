import { isBase64 } from "../../../apimachinery/base64.ts";
import { type Wording, wordingIn } from "../../../apimachinery/errors/wording.ts";
import { requestUriError } from "../../../apimachinery/go/go-url.ts";
import type { Since } from "../../../apimachinery/release.ts";
import { dns1035LabelName, dnsLabelName, dnsSubdomainName } from "../../../apimachinery/validation/names.ts";
import {
  labelValueMessages,
  qualifiedNameMessages,
} from "../../../apimachinery/validation/qualified-names.ts";
import type { FunctionDeclaration, Library } from "../../environment/declarations.ts";
import { declare, global, member } from "../../environment/declare.ts";
import { scale } from "../../environment/estimates.ts";
import { type CelType, listType, optionalType, types } from "../../types/cel-type.ts";
import { OpaqueValue } from "../../values/opaque-value.ts";
import { parseTimestamp } from "../../values/timestamp-text.ts";
import { type CelValue, Optional, optionalNone } from "../../values/value.ts";
import { binary, unary } from "../arguments.ts";
import { regexLength, sizeAt, traversal } from "../costs.ts";
import { type Guard, isString } from "../guards.ts";
import { costSize } from "../sizes.ts";
import { namedType } from "./named-type.ts";

const formatType: CelType = namedType("kubernetes.NamedFormat");
const { string } = types;

/** The size of the longest regular expression of a format, for estimates (apiserver, pkg/cel/limits.go). */
const maxRegexSize = 128;

type Validate = (text: string) => readonly Wording[];

class FormatValue extends OpaqueValue {
  readonly type = formatType;
  readonly name: string;
  readonly validate: Validate;
  readonly regexSize: number;

  constructor(name: string, regexSize: number, validate: Validate) {
    super();
    this.name = name;
    this.validate = validate;
    this.regexSize = regexSize;
  }

  equals(other: FormatValue): boolean {
    return this.name === other.name;
  }

  toString(): string {
    return this.name;
  }
}

const isFormat: Guard<FormatValue> = (value): value is FormatValue => value instanceof FormatValue;

const uuid = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

/** The named formats with the sizes that costs assume (apiserver, pkg/cel/library/format.go). */
const formats: readonly FormatValue[] = [
  new FormatValue("dns1123Label", 30, (text) => dnsLabelName(text, "name")),
  new FormatValue("dns1123Subdomain", 60, (text) => dnsSubdomainName(text, "name")),
  new FormatValue("dns1035Label", 30, (text) => dns1035LabelName(text, "name")),
  new FormatValue("qualifiedName", 60, qualifiedNameMessages),
  new FormatValue("dns1123LabelPrefix", 30, (text) => dnsLabelName(text, "generateName")),
  new FormatValue("dns1123SubdomainPrefix", 60, (text) => dnsSubdomainName(text, "generateName")),
  new FormatValue("dns1035LabelPrefix", 30, (text) => dns1035LabelName(text, "generateName")),
  new FormatValue("labelValue", 40, labelValueMessages),
  new FormatValue("uri", 1103, (text) => given(requestUriError(text))),
  new FormatValue("uuid", 57, (text) =>
    given(uuid.test(text) ? undefined : "does not match the UUID format"),
  ),
  new FormatValue("byte", 84, (text) => given(isBase64(text) ? undefined : "invalid base64")),
  new FormatValue("date", 75, (text) => given(isDate(text) ? undefined : "invalid date")),
  new FormatValue("datetime", 75, (text) => given(isDateTime(text) ? undefined : "invalid datetime")),
];

/** format.<name>(), format.named(name), and validate, whose messages are worded as in a release. */
export function namedFormats(since: Since): Library {
  const validate = (format: FormatValue, text: string): CelValue => {
    const messages = format.validate(text);
    return messages.length === 0
      ? optionalNone
      : new Optional(messages.map((message) => wordingIn(since, message)));
  };
  return {
    functions: [
      ...formats.map(constant),
      declare(
        "format.named",
        global("format-named", [string], optionalType(formatType), unary(isString, named)),
      ),
      declare(
        "validate",
        member(
          "format-validate",
          [formatType, string],
          optionalType(listType(string)),
          binary(isFormat, isString, validate),
          {
            cost: ([format, text]) => {
              const size = format instanceof FormatValue ? format.regexSize : maxRegexSize;
              return Math.ceil((1 + costSize(text)) * traversal) * Math.ceil(size * regexLength);
            },
            estimate: (operands) => ({
              cost: scale(scale(sizeAt(operands, 1), traversal), maxRegexSize * regexLength),
            }),
          },
        ),
      ),
    ],
  };
}

function constant(format: FormatValue): FunctionDeclaration {
  const name = `format.${format.name}`;
  return declare(
    name,
    global(name, [], formatType, () => format),
  );
}

function named(name: string): CelValue {
  const format = formats.find((known) => known.name === name);
  return format === undefined ? optionalNone : new Optional(format);
}

function given(message: string | undefined): readonly string[] {
  return message === undefined ? [] : [message];
}

function isDate(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && isDateTime(`${text}T00:00:00Z`);
}

function isDateTime(text: string): boolean {
  const parsed = parseTimestamp(text.replace(/t/, "T").replace(/z$/, "Z"));
  return parsed !== undefined && parsed !== "overflow";
}
