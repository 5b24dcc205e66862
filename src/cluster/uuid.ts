const digits = Uint8Array.from("0123456789abcdef", (digit) => digit.charCodeAt(0));
const dash = 0x2d;
/** The offsets of the two digits of each byte. */
const places = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34] as const;

/** The version 4 UUID of 16 random bytes of an array. */
export function uuidOf(bytes: Uint8Array, offset = 0): string {
  const characters: number[] = new Array(36).fill(dash);
  for (let index = 0; index < places.length; index++) {
    const random = bytes[offset + index] ?? 0;
    const byte = index === 6 || index === 8 ? versioned(random, index) : random;
    const place = places[index] ?? 0;
    characters[place] = digits[byte >> 4] ?? 0;
    characters[place + 1] = digits[byte & 0x0f] ?? 0;
  }
  return String.fromCharCode.apply(undefined, characters);
}

/** RFC 9562, 5.4: the version is in the seventh byte, the variant in the ninth. */
function versioned(byte: number, index: number): number {
  return index === 6 ? (byte & 0x0f) | 0x40 : (byte & 0x3f) | 0x80;
}

/** Random UUIDs, version 4. The bytes are fetched for 64 UUIDs at once, because a fetch costs as much as a GET in process. */
export function randomUuids(): () => string {
  const random = new Uint8Array(64 * 16);
  let at = random.length;
  return () => {
    if (at === random.length) {
      crypto.getRandomValues(random);
      at = 0;
    }
    at += 16;
    return uuidOf(random, at - 16);
  };
}
