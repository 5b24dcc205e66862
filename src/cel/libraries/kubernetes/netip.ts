import { goQuote } from "../../../apimachinery/go/go-quote.ts";
import type { Cidr, IpAddress } from "../../../apimachinery/ip.ts";

/** A text is no address; the message is that of Go's net/netip. */
export class AddressError extends Error {}

/** Parses an address as netip.ParseAddr does. Throws an AddressError. */
export function parseAddress(text: string): { readonly address: IpAddress; readonly zone: string } {
  const kind = /[.:%]/.exec(text)?.[0];
  if (kind === ".") return { address: parseIpv4(text, text, 0), zone: "" };
  if (kind === ":") return parseIpv6(text);
  throw wrong(text, kind === "%" ? "missing IPv6 address" : "unable to parse IP");
}

/** Parses a network as netip.ParsePrefix does. Throws an AddressError. */
export function parsePrefix(text: string): Cidr {
  const invalid = (message: string) => new AddressError(`netip.ParsePrefix(${goQuote(text)}): ${message}`);
  const slash = text.lastIndexOf("/");
  if (slash < 0) throw invalid("no '/'");
  const { address, zone } = parsed(text.slice(0, slash), invalid);
  if (zone !== "") throw invalid("IPv6 zones cannot be present in a prefix");
  const bits = text.slice(slash + 1);
  if (!/^(0|[1-9]\d*)$/.test(bits) || bits.length > 9)
    throw invalid(`bad bits after slash: ${goQuote(bits)}`);
  const prefixLength = Number(bits);
  if (prefixLength > address.length * 8) throw invalid("prefix length out of range");
  return { address, prefixLength };
}

/** Whether the address is an IPv4 address written as IPv6: `::ffff:1.2.3.4`. */
export function isMapped(address: IpAddress): boolean {
  return address.length === 16 && address.every((byte, i) => i >= 12 || byte === (i < 10 ? 0 : 0xff));
}

function parsed(text: string, invalid: (message: string) => AddressError): ReturnType<typeof parseAddress> {
  try {
    return parseAddress(text);
  } catch (error) {
    throw error instanceof AddressError ? invalid(error.message) : error;
  }
}

function wrong(text: string, message: string, at = ""): AddressError {
  const place = at === "" ? "" : ` (at ${goQuote(at)})`;
  return new AddressError(`ParseAddr(${goQuote(text)}): ${message}${place}`);
}

/** Parses the four numbers of IPv4 at an offset of the text. */
function parseIpv4(whole: string, text: string, offset: number): IpAddress {
  const bytes: number[] = [];
  let digits = "";
  for (let i = offset; i < text.length; i++) {
    const character = text[i] ?? "";
    if (character >= "0" && character <= "9") {
      if (digits === "0") throw wrong(whole, "IPv4 field has octet with leading zero");
      digits += character;
      if (Number(digits) > 255) throw wrong(whole, "IPv4 field has value >255");
    } else if (character === ".") {
      if (digits === "" || i === text.length - 1) {
        throw wrong(whole, "IPv4 field must have at least one digit", text.slice(i));
      }
      if (bytes.length === 3) throw wrong(whole, "IPv4 address too long");
      bytes.push(Number(digits));
      digits = "";
    } else {
      throw wrong(whole, "unexpected character", text.slice(i));
    }
  }
  if (bytes.length < 3) throw wrong(whole, "IPv4 address too short");
  return Uint8Array.from([...bytes, Number(digits)]);
}

function parseIpv6(whole: string): { readonly address: IpAddress; readonly zone: string } {
  const percent = whole.indexOf("%");
  const zone = percent < 0 ? "" : whole.slice(percent + 1);
  if (percent >= 0 && zone === "") throw wrong(whole, "zone must be a non-empty string");
  const { bytes, ellipsis } = readFields(whole, percent < 0 ? whole : whole.slice(0, percent));
  if (bytes.length === 16) {
    if (ellipsis >= 0) throw wrong(whole, "the :: must expand to at least one field of zeros");
    return { address: Uint8Array.from(bytes), zone };
  }
  if (ellipsis < 0) throw wrong(whole, "address string too short");
  const zeros = Array.from({ length: 16 - bytes.length }, () => 0);
  return {
    address: Uint8Array.from([...bytes.slice(0, ellipsis), ...zeros, ...bytes.slice(ellipsis)]),
    zone,
  };
}

/** The bytes of the fields, and where `::` stands among them. */
function readFields(
  whole: string,
  text: string,
): { readonly bytes: readonly number[]; readonly ellipsis: number } {
  const bytes: number[] = [];
  let ellipsis = text.startsWith("::") ? 0 : -1;
  let rest = ellipsis === 0 ? text.slice(2) : text;
  while (rest !== "" && bytes.length < 16) {
    const field = /^[0-9a-fA-F]*/.exec(rest)?.[0] ?? "";
    if (field.length > 4) throw wrong(whole, "each group must have 4 or less digits", rest);
    if (field === "") throw wrong(whole, "each colon-separated field must have at least one digit", rest);
    if (rest[field.length] === ".") {
      if (ellipsis < 0 && bytes.length !== 12) {
        throw wrong(whole, "embedded IPv4 address must replace the final 2 fields of the address", rest);
      }
      if (bytes.length + 4 > 16) {
        throw wrong(whole, "too many hex fields to fit an embedded IPv4 at the end of the address", rest);
      }
      bytes.push(...parseIpv4(whole, rest, 0));
      return { bytes, ellipsis };
    }
    const value = Number.parseInt(field, 16);
    bytes.push(value >> 8, value & 0xff);
    rest = rest.slice(field.length);
    if (rest === "") break;
    if (rest[0] !== ":") throw wrong(whole, "unexpected character, want colon", rest);
    if (rest.length === 1) throw wrong(whole, "colon must be followed by more characters", rest);
    rest = rest.slice(1);
    if (rest.startsWith(":")) {
      if (ellipsis >= 0) throw wrong(whole, "multiple :: in address", rest);
      ellipsis = bytes.length;
      rest = rest.slice(1);
    }
  }
  if (rest !== "") throw wrong(whole, "trailing garbage after address", rest);
  return { bytes, ellipsis };
}
