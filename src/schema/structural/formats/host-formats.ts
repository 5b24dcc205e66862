import { parseCidr, parseIp } from "../../../apimachinery/ip.ts";
import { utf8Length } from "../../../apimachinery/utf8.ts";

const singleLabel = /^[a-zA-Z0-9\p{S}\p{L}]-?[a-zA-Z0-9\p{S}\p{L}]{0,62}$/u;
const label = /^[a-zA-Z0-9\p{S}\p{L}](?:[a-zA-Z0-9\-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?$/u;
const topLevelLabel = /^[a-zA-Z\p{L}]{2,63}$/u;
const colonMac = /^[0-9a-f]{2}([:-])[0-9a-f]{2}(?:\1[0-9a-f]{2})*$/i;
const dottedMac = /^[0-9a-f]{4}(?:\.[0-9a-f]{4})*$/i;

/** Whether a text is a host name as upstream's strfmt.IsHostname reads it. */
export function isHostname(text: string): boolean {
  if (text.length > 255 || utf8Length(text) > 255) return false;
  const labels = text.split(".");
  if (labels.some((part) => utf8Length(part) > 63)) return false;
  if (labels.length === 1) return singleLabel.test(text);
  return topLevelLabel.test(labels.pop() ?? "") && labels.every((part) => label.test(part));
}

/** Whether a text is an IP address that is written with dots. Its numbers may have leading zeros. */
export function isIpv4(text: string): boolean {
  return text.includes(".") && parseIp(withoutLeadingZeros(text)) !== undefined;
}

/** Whether a text is an IPv6 address. */
export function isIpv6(text: string): boolean {
  return text.includes(":") && isIp(text);
}

/** Whether a text is an IP address without leading zeros, as Go's `net.ParseIP` reads it. */
export function isIp(text: string): boolean {
  const numbers = text.slice(text.lastIndexOf(":") + 1).split(".");
  if (numbers.length > 1 && numbers.some((number) => /^0[0-9]/.test(number))) return false;
  return parseIp(text) !== undefined;
}

/** Whether a text is a network. Its numbers may have leading zeros. */
export function isCidr(text: string): boolean {
  return parseCidr(withoutLeadingZeros(text)) !== undefined;
}

/** Whether a text is a hardware address of 6, 8 or 20 bytes, as Go's `net.ParseMAC` reads it. */
export function isMac(text: string): boolean {
  if (colonMac.test(text)) return [6, 8, 20].includes((text.length + 1) / 3);
  return dottedMac.test(text) && [6, 8, 20].includes(((text.length + 1) / 5) * 2);
}

function withoutLeadingZeros(text: string): string {
  return text.replace(/(^|[:./])0+(?=[0-9a-fA-F])/g, "$1");
}
