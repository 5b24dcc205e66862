const beyondPrintableAscii = /[^\t\x20-\x7e]/;
const beyondAscii = /[^\0-\x7f]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a header must not carry
const control = /[\0-\x08\x0a-\x1f\x7f]/g;

/**
 * A header value as HTTP libraries expect it: one character per byte. Go writes the UTF-8 bytes of a string unchanged and
 * a space instead of a line break.
 */
export function wireFromText(value: string): string {
  if (!beyondPrintableAscii.test(value)) return value;
  const printable = value.replace(control, " ");
  if (!beyondAscii.test(printable)) return printable;
  let wire = "";
  for (const byte of new TextEncoder().encode(printable)) wire += String.fromCharCode(byte);
  return wire;
}

/** The text that a Go server reads from a header or target in which each character stands for a byte. */
export function textFromWire(wire: string): string {
  if (!beyondAscii.test(wire)) return wire;
  return new TextDecoder().decode(Uint8Array.from(wire, (character) => character.charCodeAt(0)));
}
