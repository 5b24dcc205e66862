import { inflateRawSync } from "node:zlib";

const endOfDirectory = 0x06054b50;
const endLength = 22;
const deflated = 8;

/** The bytes of a file in an archive; undefined if the archive does not have it. @throws {Error} for bytes that are no archive */
export function fileOfZip(archive: Buffer, name: string): Buffer | undefined {
  let end = archive.length - endLength;
  while (end >= 0 && archive.readUInt32LE(end) !== endOfDirectory) end -= 1;
  if (end < 0) throw new Error("not a zip archive");
  const count = archive.readUInt16LE(end + 10);
  let at = archive.readUInt32LE(end + 16);
  for (let index = 0; index < count; index++) {
    const nameLength = archive.readUInt16LE(at + 28);
    const found = archive.toString("utf8", at + 46, at + 46 + nameLength);
    if (found === name) return contentOf(archive, at);
    at += 46 + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  return undefined;
}

/** The content of the file whose entry in the directory is at an offset. */
function contentOf(archive: Buffer, entry: number): Buffer {
  const method = archive.readUInt16LE(entry + 10);
  const length = archive.readUInt32LE(entry + 20);
  const local = archive.readUInt32LE(entry + 42);
  const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
  const bytes = archive.subarray(start, start + length);
  return method === deflated ? inflateRawSync(bytes) : bytes;
}
