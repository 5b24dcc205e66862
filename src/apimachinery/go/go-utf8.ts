// Go treats a byte order mark as data, so it is kept.
const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Decodes bytes as Go does: each invalid byte becomes one U+FFFD. TextDecoder replaces some sequences by one. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes);
  } catch {
    return decodeLeniently(bytes, () => "\ufffd");
  }
}

/**
 * Decodes bytes like `decodeUtf8`, but keeps each invalid byte as an unpaired surrogate from U+DC80 to U+DCFF. No other
 * text has these, so that `goQuote` can print the byte.
 */
export function decodeUtf8KeepingBytes(bytes: Uint8Array): string {
  return decodeLeniently(bytes, (byte) => String.fromCharCode(0xdc00 + byte));
}

/** Whether the bytes are UTF-8. */
export function isUtf8(bytes: Uint8Array): boolean {
  try {
    strict.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

function decodeLeniently(bytes: Uint8Array, shown: (invalid: number) => string): string {
  let text = "";
  let valid = 0;
  let at = 0;
  while (at < bytes.length) {
    const length = sequenceLength(bytes, at);
    if (length > 0) {
      at += length;
      continue;
    }
    text += strict.decode(bytes.subarray(valid, at)) + shown(bytes[at] ?? 0);
    at += 1;
    valid = at;
  }
  return text + strict.decode(bytes.subarray(valid));
}

/** The number of bytes of the character at `at`; 0 if it is invalid. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  const length = lengthOf(first);
  if (length === 0 || !isContinuation(bytes[at + 1], ...secondByte(first))) return 0;
  for (let i = 2; i < length; i++) if (!isContinuation(bytes[at + i], 0x80, 0xbf)) return 0;
  return length;
}

function lengthOf(first: number): number {
  if (first >= 0xc2 && first <= 0xdf) return 2;
  if (first >= 0xe0 && first <= 0xef) return 3;
  return first >= 0xf0 && first <= 0xf4 ? 4 : 0;
}

/** The second byte excludes overlong forms, surrogates and code points beyond U+10FFFF. */
function secondByte(first: number): [least: number, most: number] {
  if (first === 0xe0) return [0xa0, 0xbf];
  if (first === 0xed) return [0x80, 0x9f];
  if (first === 0xf0) return [0x90, 0xbf];
  return first === 0xf4 ? [0x80, 0x8f] : [0x80, 0xbf];
}

function isContinuation(byte: number | undefined, least: number, most: number): boolean {
  return byte !== undefined && byte >= least && byte <= most;
}
