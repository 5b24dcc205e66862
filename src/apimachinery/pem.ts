import { goTrimRight } from "./go-trim.ts";

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
 * without a valid end. Takes linear time, as Go since 1.25.
 */
export function pemBlocks(text: string): readonly PemBlock[] {
  const blocks: PemBlock[] = [];
  let close = -1;
  for (let start = nextStart(text, 0); start >= 0; ) {
    const { label, hasHeaders, body } = readHead(text, start + begin.length);
    start = nextStart(text, body);
    if (label === undefined) continue;
    // An empty block ends right after its first line.
    const isEmpty = !hasHeaders && text.startsWith(end.slice(1), body);
    if (isEmpty) close = body - 1;
    else if (close < body) close = endAfter(text, body);
    // Base64 has no dashes, so a block that begins within the body makes it invalid.
    if ((start >= 0 && start < close) || !endsBlock(text, close, label)) continue;
    const bytes = base64Bytes(text.slice(body, close));
    if (bytes !== undefined) blocks.push({ label, hasHeaders, bytes });
  }
  return blocks;
}

/** The next start of a block, from the start of a line on; -1 if there is none. */
function nextStart(text: string, from: number): number {
  if (text.startsWith(begin, from)) return from;
  const found = text.indexOf(`\n${begin}`, from);
  return found < 0 ? -1 : found + 1;
}

/** The next end of a block; that of the text if there is none. */
function endAfter(text: string, from: number): number {
  const found = text.indexOf(end, from);
  return found < 0 ? text.length : found;
}

interface Head {
  /** Undefined if the first line does not end as it must. */
  readonly label: string | undefined;
  readonly hasHeaders: boolean;
  /** The index of the line after the headers. */
  readonly body: number;
}

/** Reads on from the word BEGIN. */
function readHead(text: string, from: number): Head {
  const first = lineAt(text, from);
  const label = first.text.endsWith(dashes) ? first.text.slice(0, -dashes.length) : undefined;
  let body = first.next;
  while (label !== undefined && body < text.length) {
    const header = lineAt(text, body);
    if (!header.text.includes(":")) break;
    body = header.next;
  }
  return { label, hasHeaders: body > first.next, body };
}

/** Whether a block with this label ends at a line break. */
function endsBlock(text: string, close: number, label: string): boolean {
  const trailer = label + dashes;
  const at = close + end.length;
  return text.startsWith(trailer, at) && lineAt(text, at + trailer.length).text === "";
}

interface Line {
  /** Without trailing blanks. */
  readonly text: string;
  /** The index of the next line. */
  readonly next: number;
}

function lineAt(text: string, from: number): Line {
  const found = text.indexOf("\n", from);
  const stop = found < 0 ? text.length : found;
  return { text: goTrimRight(text.slice(from, stop), " \t\r"), next: Math.min(stop + 1, text.length) };
}

function base64Bytes(text: string): Uint8Array | undefined {
  const body = text.replace(/[ \t\r\n]/g, "");
  if (body.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(body)) return undefined;
  return Uint8Array.from(atob(body), (character) => character.charCodeAt(0));
}
