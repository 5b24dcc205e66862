import fc from "fast-check";
import { expect, test } from "vitest";
import { randomUuids, uuidOf } from "./uuid.ts";

test("a uuid consists of its bytes, except for version and variant", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), fc.nat(40), (bytes, offset) => {
      const padded = Uint8Array.from([...new Uint8Array(offset), ...bytes]);
      const uuid = uuidOf(padded, offset);
      expect(uuid).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
      const read = Uint8Array.from(uuid.replaceAll("-", "").match(/../g) ?? [], (hex) =>
        Number.parseInt(hex, 16),
      );
      const free = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f, 0xff, 0x3f];
      const masked = (array: Uint8Array) => Array.from(array, (byte, index) => byte & (free[index] ?? 0xff));
      expect(masked(read)).toEqual(masked(bytes));
    }),
  );
});

test("random uuids differ, across batches as well", () => {
  expect(new Set(Array.from({ length: 1000 }, randomUuids())).size).toBe(1000);
});
