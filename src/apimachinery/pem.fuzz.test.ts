import fc from "fast-check";
import { expect, test } from "vitest";
import { nearly } from "../../test/arbitraries/nearly.ts";
import { type PemBlock, pemBlocks } from "./pem.ts";

const label = fc.constantFrom("CERTIFICATE", "EC PRIVATE KEY", "A-B", "");
const block = fc.record({
  label,
  hasHeaders: fc.boolean(),
  bytes: fc.uint8Array({ maxLength: 100 }),
});

function textOf({ label, hasHeaders, bytes }: PemBlock): string {
  const lines =
    Buffer.from(bytes)
      .toString("base64")
      .match(/.{1,64}/g) ?? [];
  const headers = hasHeaders ? ["Proc-Type: 4,ENCRYPTED", ""] : [];
  return [`-----BEGIN ${label}-----`, ...headers, ...lines, `-----END ${label}-----`, ""].join("\n");
}

test("the blocks of a valid text are found, whatever is around them", () => {
  const around = fc.constantFrom("", "\n", "comment\n", "-----\n", "-----BEGIN\n");
  fc.assert(
    fc.property(fc.array(fc.tuple(around, block)), (parts) => {
      const text = parts.map(([before, one]) => before + textOf(one)).join("");
      expect(pemBlocks(text)).toEqual(parts.map(([, one]) => one));
    }),
  );
});

test("every block of any other text is a block by itself", () => {
  const text = nearly(
    fc.array(block, { maxLength: 3 }).map((blocks) => blocks.map(textOf).join("")),
    "-BEGIN END\n\r\t:=A",
  );
  fc.assert(
    fc.property(text, (given) => {
      const found = pemBlocks(given);
      expect(found.length).toBeLessThanOrEqual(given.split("-----BEGIN ").length - 1);
      for (const one of found) expect(pemBlocks(textOf(one))).toEqual([one]);
    }),
    { numRuns: 1000 },
  );
});
