/** How far each step of a round rotates, round by round. */
const rotations = [
  [7, 12, 17, 22],
  [5, 9, 14, 20],
  [4, 11, 16, 23],
  [6, 10, 15, 21],
] as const;
const sines = Array.from({ length: 64 }, (_, i) => Math.floor(Math.abs(Math.sin(i + 1)) * 2 ** 32));

/** The MD5 digest of a text as hexadecimal digits (RFC 1321). WebCrypto has no MD5. */
export function md5(text: string): string {
  const state = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476];
  const words = paddedWords(new TextEncoder().encode(text));
  for (let start = 0; start < words.length; start += 16) addBlock(state, words.subarray(start, start + 16));
  const bytes = new Uint8Array(new Uint32Array(state).buffer);
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The message, a bit, zeros, and the number of bits. */
function paddedWords(bytes: Uint8Array): Uint32Array {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const words = new Uint32Array(padded.buffer);
  words[words.length - 2] = bytes.length * 8;
  return words;
}

function addBlock(state: number[], words: Uint32Array): void {
  let [a = 0, b = 0, c = 0, d = 0] = state;
  for (let i = 0; i < 64; i++) {
    const round = i >> 4;
    const [mixed, word] = stepOf(round, i, b, c, d);
    const sum = (a + mixed + (sines[i] ?? 0) + (words[word] ?? 0)) | 0;
    const turn = rotations[round]?.[i % 4] ?? 0;
    [a, d, c] = [d, c, b];
    b = (b + ((sum << turn) | (sum >>> (32 - turn)))) | 0;
  }
  [a, b, c, d].forEach((value, i) => {
    state[i] = ((state[i] ?? 0) + value) >>> 0;
  });
}

/** What a step mixes, and which word it adds. */
function stepOf(round: number, i: number, b: number, c: number, d: number): readonly [number, number] {
  if (round === 0) return [(b & c) | (~b & d), i];
  if (round === 1) return [(d & b) | (~d & c), (5 * i + 1) % 16];
  if (round === 2) return [b ^ c ^ d, (3 * i + 5) % 16];
  return [c ^ (b | ~d), (7 * i) % 16];
}
