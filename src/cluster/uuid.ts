/** The two digits of each byte. */
const pairs: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** The version 4 UUID of 16 random bytes of an array. RFC 9562, 5.4: the version is in the seventh byte, the variant in the ninth. */
export function uuidOf(bytes: Uint8Array, offset = 0): string {
  const at = (place: number) => pairs[bytes[offset + place] ?? 0] ?? "";
  const version = pairs[((bytes[offset + 6] ?? 0) & 0x0f) | 0x40] ?? "";
  const variant = pairs[((bytes[offset + 8] ?? 0) & 0x3f) | 0x80] ?? "";
  const time = `${at(0)}${at(1)}${at(2)}${at(3)}-${at(4)}${at(5)}`;
  const node = `${at(10)}${at(11)}${at(12)}${at(13)}${at(14)}${at(15)}`;
  return `${time}-${version}${at(7)}-${variant}${at(9)}-${node}`;
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
