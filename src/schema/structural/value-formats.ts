import { requestUriError } from "../../apimachinery/go/go-url.ts";
import { isCreditCard, isIsbn10, isIsbn13 } from "./formats/check-digit-formats.ts";
import { isEmail } from "./formats/email-format.ts";
import { isCidr, isHostname, isIpv4, isIpv6, isMac } from "./formats/host-formats.ts";
import { isDate, isDateTime, isDuration } from "./formats/time-formats.ts";

const uuid = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const uuid3 = /^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const uuid4 = /^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i;
const uuid5 = /^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i;
const base64 = /^[A-Za-z0-9+/]*={0,2}$/;
const rgbColor =
  /^rgb\([\t\n\f\r ]*([0-9]{1,3})[\t\n\f\r ]*,[\t\n\f\r ]*([0-9]{1,3})[\t\n\f\r ]*,[\t\n\f\r ]*([0-9]{1,3})[\t\n\f\r ]*\)$/;

/**
 * The formats that validation knows, without their dashes, as upstream's strfmt.Default reads them. Other formats are not
 * checked (apiextensions-apiserver, pkg/apiserver/validation/formats.go). The work is linear in the length of the text.
 */
const formats: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ["bsonobjectid", (text: string) => /^[0-9a-f]{24}$/i.test(text)],
  ["uri", (text) => requestUriError(text) === undefined],
  ["email", isEmail],
  ["hostname", isHostname],
  ["ipv4", isIpv4],
  ["ipv6", isIpv6],
  ["cidr", isCidr],
  ["mac", isMac],
  ["uuid", (text) => uuid.test(text)],
  ["uuid3", (text) => uuid3.test(text)],
  ["uuid4", (text) => uuid4.test(text)],
  ["uuid5", (text) => uuid5.test(text)],
  ["isbn", (text) => isIsbn10(text) || isIsbn13(text)],
  ["isbn10", isIsbn10],
  ["isbn13", isIsbn13],
  ["creditcard", isCreditCard],
  ["ssn", (text) => /^\d{3}[- ]\d{2}[- ]\d{4}$/.test(text)],
  ["hexcolor", (text) => /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.test(text)],
  ["rgbcolor", isRgbColor],
  ["byte", (text) => text !== "" && text.length % 4 === 0 && base64.test(text)],
  ["password", () => true],
  ["date", isDate],
  ["duration", isDuration],
  ["datetime", isDateTime],
]);

/** Whether a text has the format; undefined for a format that is not checked. */
export function hasFormat(text: string, format: string): boolean | undefined {
  return formats.get(withoutDashes(format))?.(text);
}

/** Whether validation knows a format. */
export function isKnownFormat(format: string): boolean {
  return formats.has(withoutDashes(format));
}

function withoutDashes(format: string): string {
  return format.replaceAll("-", "");
}

function isRgbColor(text: string): boolean {
  const numbers = rgbColor.exec(text)?.slice(1);
  return numbers?.every((number) => Number(number) <= 255 && String(Number(number)) === number) ?? false;
}
