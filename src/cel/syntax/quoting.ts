import { goQuote } from "../../apimachinery/go/go-quote.ts";

/** A string as a literal. */
export function showString(text: string): string {
  return goQuote(text);
}

/** Bytes as a literal, each as a hexadecimal escape unless it is a printable character of ASCII. */
export function showBytes(bytes: Uint8Array): string {
  const characters = Array.from(bytes, (byte) => {
    const isPlain = byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c;
    return isPlain ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, "0")}`;
  });
  return `b"${characters.join("")}"`;
}
