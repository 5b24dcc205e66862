const digits = Uint8Array.from("0123456789abcdef", (digit) => digit.charCodeAt(0));
const dash = 0x2d;
/** The offsets of the two digits of each byte. */
const places = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34] as const;
const byteCount = places.length;
const length = 36;
const decoder = new TextDecoder();

/** The version 4 UUID of 16 random bytes. */
export function uuidOf(bytes: Uint8Array): string {
  return uuidsOf(bytes.subarray(0, byteCount));
}

/** The version 4 UUIDs of so many times 16 random bytes, without anything between them. */
function uuidsOf(bytes: Uint8Array): string {
  const characters = new Uint8Array((bytes.length / byteCount) * length).fill(dash);
  for (let at = 0, start = 0; start < characters.length; start += length) {
    for (let index = 0; index < byteCount; index++) {
      const byte = versioned(bytes[at++] ?? 0, index);
      const place = start + (places[index] ?? 0);
      characters[place] = digits[byte >> 4] ?? 0;
      characters[place + 1] = digits[byte & 0x0f] ?? 0;
    }
  }
  return decoder.decode(characters);
}

/** RFC 9562, 5.4: the version is in the seventh byte, the variant in the ninth. */
function versioned(byte: number, index: number): number {
  if (index === 6) return (byte & 0x0f) | 0x40;
  return index === 8 ? (byte & 0x3f) | 0x80 : byte;
}

/** Random UUIDs, version 4. They are made 64 at once, because a fetch of random bytes costs as much as a GET in process. */
export function randomUuids(): () => string {
  const random = new Uint8Array(64 * byteCount);
  let uuids = "";
  let at = 0;
  return () => {
    if (at === uuids.length) {
      crypto.getRandomValues(random);
      uuids = uuidsOf(random);
      at = 0;
    }
    at += length;
    return uuids.slice(at - length, at);
  };
}
