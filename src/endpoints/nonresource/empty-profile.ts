/** What a profile counts, and its unit. */
export type ValueType = readonly [type: string, unit: string];

/** The field numbers of a profile (github.com/google/pprof, proto/profile.proto). */
const field = { sampleType: 1, stringTable: 6, timeNanos: 9, periodType: 11, period: 12 } as const;

/** A profile without samples, taken at a time in milliseconds since the epoch. `go tool pprof` reads it. */
export function emptyProfile(samples: readonly ValueType[], now: number): Uint8Array {
  // The first text is the empty one. A type refers to texts by their index.
  const texts = ["", ...samples.flat()];
  const typeOf = (index: number): number[] => [...number(1, 2 * index + 1), ...number(2, 2 * index + 2)];
  return Uint8Array.from([
    ...samples.flatMap((_, index) => bytes(field.sampleType, typeOf(index))),
    ...texts.flatMap((text) => bytes(field.stringTable, [...new TextEncoder().encode(text)])),
    ...number(field.timeNanos, BigInt(now) * 1_000_000n),
    ...bytes(field.periodType, typeOf(samples.length - 1)),
    ...number(field.period, 1),
  ]);
}

function bytes(fieldNumber: number, content: readonly number[]): number[] {
  return [(fieldNumber << 3) | 2, ...varint(BigInt(content.length)), ...content];
}

function number(fieldNumber: number, value: number | bigint): number[] {
  return [fieldNumber << 3, ...varint(BigInt(value))];
}

function varint(value: bigint): number[] {
  return value < 0x80n ? [Number(value)] : [Number(value & 0x7fn) | 0x80, ...varint(value >> 7n)];
}
