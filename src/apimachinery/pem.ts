/** A block of PEM. */
export interface PemBlock {
  readonly label: string;
  readonly hasHeaders: boolean;
  readonly bytes: Uint8Array;
}

const begin = "-----BEGIN ";
const end = "\n-----END ";
const dashes = "-----";

/**
 * The PEM blocks of a text, as Go's `pem.Decode` finds them: text around the blocks is ignored, and so is a block
 * without a valid end.
 */
export function pemBlocks(text: string): readonly PemBlock[] {
  const blocks: PemBlock[] = [];
  let rest = text;
  for (;;) {
    const start = rest.startsWith(begin) ? 0 : rest.indexOf(`\n${begin}`) + 1;
    if (!rest.startsWith(begin, start)) return blocks;
    rest = rest.slice(start + begin.length);
    const read = readBlock(rest);
    if (read === undefined) continue;
    if (read.block !== undefined) blocks.push(read.block);
    rest = read.rest;
  }
}

interface Read {
  /** Undefined if the content of the block is not base64. */
  readonly block: PemBlock | undefined;
  readonly rest: string;
}

/** Reads on from the word BEGIN. */
function readBlock(text: string): Read | undefined {
  const [first, afterFirst] = line(text);
  if (!first.endsWith(dashes)) return undefined;
  const label = first.slice(0, -dashes.length);
  const { hasHeaders, rest } = skipHeaders(afterFirst);
  // An empty block ends right after its first line.
  const isEmpty = !hasHeaders && rest.startsWith(end.slice(1));
  const close = isEmpty ? 0 : rest.indexOf(end);
  if (close < 0) return undefined;
  const trailer = rest.slice(close + (isEmpty ? end.length - 1 : end.length));
  if (!trailer.startsWith(label + dashes)) return undefined;
  const [after, beyond] = line(trailer.slice(label.length + dashes.length));
  if (after !== "") return undefined;
  const bytes = base64Bytes(rest.slice(0, close));
  return { block: bytes && { label, hasHeaders, bytes }, rest: beyond };
}

function skipHeaders(text: string): { readonly hasHeaders: boolean; readonly rest: string } {
  let rest = text;
  let hasHeaders = false;
  while (rest !== "") {
    const [header, next] = line(rest);
    if (!header.includes(":")) break;
    hasHeaders = true;
    rest = next;
  }
  return { hasHeaders, rest };
}

/** A line without trailing blanks, and the text after it. */
function line(text: string): readonly [line: string, rest: string] {
  const at = text.indexOf("\n");
  if (at < 0) return [text.replace(/[ \t\r]+$/, ""), ""];
  return [text.slice(0, at).replace(/[ \t\r]+$/, ""), text.slice(at + 1)];
}

function base64Bytes(text: string): Uint8Array | undefined {
  const body = text.replace(/[ \t\r\n]/g, "");
  if (body.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(body)) return undefined;
  return Uint8Array.from(atob(body), (character) => character.charCodeAt(0));
}
