import { expect, test } from "vitest";
import { sha256, sha512Hex } from "./sha.ts";

test("the digest of the empty text is that of FIPS 180-4", () => {
  expect(Buffer.from(sha256("")).toString("hex")).toBe(
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  );
  expect(sha512Hex("")).toBe(
    "CF83E1357EEFB8BDF1542850D66D8007D620E4050B5715DC83F4A921D36CE9CE47D0D13C5D85F2B0FF8318D2877EEC2F63B931BD47417A81A538327AF927DA3E",
  );
});

test("a text is digested as UTF-8", () => {
  expect(sha512Hex("é")).toBe(sha512Hex(new Uint8Array([0xc3, 0xa9])));
});
