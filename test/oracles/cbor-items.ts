import fc from "fast-check";

/** The major types of CBOR, which are the first three bits of an item. */
const major = {
  positive: 0,
  negative: 1,
  bytes: 2,
  text: 3,
  array: 4,
  map: 5,
  tag: 6,
  primitive: 7,
} as const;

type Bytes = readonly number[];

/** The head of an item, in the shortest form or a longer one. */
function head(type: number, argument: bigint, longer = 0): Bytes {
  const sizes = [0, 1, 2, 4, 8];
  const shortest = sizes.findIndex((size) => argument < (size === 0 ? 24n : 1n << BigInt(8 * size)));
  const index = Math.min(shortest + longer, 4);
  const size = sizes[index] ?? 8;
  if (size === 0) return [(type << 5) | Number(argument)];
  const bytes = Array.from({ length: size }, (_, i) =>
    Number((argument >> BigInt(8 * (size - 1 - i))) & 0xffn),
  );
  return [(type << 5) | (23 + index), ...bytes];
}

const longer = fc.constantFrom(0, 0, 0, 0, 0, 1, 2, 3);

function indefinite(type: number, items: readonly Bytes[]): Bytes {
  return [(type << 5) | 31, ...items.flat(), 0xff];
}

const argument = fc.oneof(
  fc.bigInt({ min: 0n, max: 30n }),
  fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  fc.constantFrom(...[255n, 256n, 65_535n, 65_536n, 2n ** 32n - 1n, 2n ** 32n, 2n ** 53n - 1n, 2n ** 53n]),
  fc.constantFrom(2n ** 53n + 1n, 2n ** 63n - 1n, 2n ** 63n, 2n ** 64n - 1n),
);
const integer = fc
  .tuple(fc.constantFrom(major.positive, major.negative), argument, longer)
  .map(([type, value, more]) => head(type, value, more));

const ascii = fc.string({ unit: fc.constantFrom(..."abc=/+-_ ZT01"), maxLength: 6 });
const content = fc.oneof(
  { weight: 4, arbitrary: ascii },
  {
    weight: 1,
    arbitrary: fc.constantFrom("", "ü", "\u{1f600}", "\ufeffa", "__proto__", "2001-02-03T04:05:06Z"),
  },
);
const utf8 = content.map((text) => [...new TextEncoder().encode(text)]);
const anyBytes = fc.oneof(
  { weight: 5, arbitrary: utf8 },
  { weight: 1, arbitrary: fc.array(fc.nat(255), { maxLength: 6 }) },
);

function stringOf(type: number, bytes: fc.Arbitrary<number[]>): fc.Arbitrary<Bytes> {
  const whole = fc
    .tuple(bytes, longer)
    .map(([chunk, more]) => [...head(type, BigInt(chunk.length), more), ...chunk]);
  const chunked = fc.array(whole, { maxLength: 3 }).map((chunks) => indefinite(type, chunks));
  return fc.oneof({ weight: 4, arbitrary: whole }, { weight: 1, arbitrary: chunked });
}

const byteString = stringOf(major.bytes, anyBytes);
const textString = stringOf(
  major.text,
  fc.oneof({ weight: 20, arbitrary: utf8 }, { weight: 1, arbitrary: anyBytes }),
);

/** Floats of every width, including infinity and NaN. */
const float = fc.oneof(
  fc.double().map((value) => floatBytes(0xfb, 8, (view) => view.setFloat64(0, value))),
  fc.float().map((value) => floatBytes(0xfa, 4, (view) => view.setFloat32(0, value))),
  fc.nat(0xffff).map((bits) => floatBytes(0xf9, 2, (view) => view.setUint16(0, bits))),
  fc.constantFrom(0, -0, 1, 1.5, 65_504, 100_000, 2 ** 53, 1e300, -4.1).map((value) => {
    return floatBytes(0xfb, 8, (view) => view.setFloat64(0, value));
  }),
);

function floatBytes(first: number, size: number, write: (view: DataView) => void): Bytes {
  const bytes = new Uint8Array(size);
  write(new DataView(bytes.buffer));
  return [first, ...bytes];
}

const simple = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom([0xf4], [0xf5], [0xf6]) },
  { weight: 1, arbitrary: fc.constantFrom([0xf7], [0xe0], [0xf8, 0x20], [0xf8, 0xff], [0xf3]) },
);

const key = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(..."abcd").map((name) => [0x41, name.charCodeAt(0)]) },
  { weight: 3, arbitrary: fc.constantFrom(..."abcd").map((name) => [0x61, name.charCodeAt(0)]) },
  { weight: 2, arbitrary: byteString },
  { weight: 2, arbitrary: textString },
);

/** Tags that at least one of the readers knows, and a few others. */
const tagNumbers = [
  0n,
  1n,
  2n,
  3n,
  4n,
  5n,
  21n,
  22n,
  23n,
  24n,
  25n,
  27n,
  28n,
  29n,
  30n,
  32n,
  35n,
  64n,
  69n,
  79n,
  256n,
  257n,
  258n,
  259n,
  55_799n,
  105n,
  14_337n,
];

const { item } = fc.letrec<{ item: Bytes; array: Bytes; map: Bytes; tagged: Bytes; anyKey: Bytes }>(
  (tie) => ({
    item: fc.oneof(
      { maxDepth: 4 },
      { weight: 3, arbitrary: integer },
      { weight: 3, arbitrary: byteString },
      { weight: 2, arbitrary: textString },
      { weight: 2, arbitrary: float },
      { weight: 2, arbitrary: simple },
      { weight: 3, arbitrary: tie("array") },
      { weight: 4, arbitrary: tie("map") },
      { weight: 1, arbitrary: tie("tagged") },
    ),
    array: fc
      .tuple(fc.array(tie("item"), { maxLength: 4 }), fc.boolean(), longer)
      .map(([items, ends, more]) => {
        return ends
          ? indefinite(major.array, items)
          : [...head(major.array, BigInt(items.length), more), ...items.flat()];
      }),
    anyKey: fc.oneof({ weight: 20, arbitrary: key }, { weight: 1, arbitrary: tie("item") }),
    map: fc
      .tuple(fc.array(fc.tuple(tie("anyKey"), tie("item")), { maxLength: 4 }), fc.boolean(), longer)
      .map(([pairs, ends, more]) => {
        const items = pairs.map(([name, value]) => [...name, ...value]);
        return ends
          ? indefinite(major.map, items)
          : [...head(major.map, BigInt(pairs.length), more), ...items.flat()];
      }),
    tagged: fc.tuple(fc.constantFrom(...tagNumbers), longer, tie("item")).map(([tag, more, tagContent]) => {
      return [...head(major.tag, tag, more), ...tagContent];
    }),
  }),
);

/** Well-formed CBOR of every kind: definite and indefinite lengths, floats of every width, tags, duplicate keys. */
export const cborItems: fc.Arbitrary<Uint8Array> = item.map((bytes) => Uint8Array.from(bytes));

/** CBOR with a few bytes changed, most of it malformed. */
export const mutatedItems: fc.Arbitrary<Uint8Array> = fc
  .tuple(item, fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 3 }), fc.nat(3))
  .map(([bytes, changes, cut]) => {
    const mutated = Uint8Array.from(bytes.slice(0, Math.max(bytes.length - cut, 1)));
    for (const [at, byte] of changes) mutated[at % mutated.length] = byte;
    return mutated;
  });
