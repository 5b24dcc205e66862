import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { md5 } from "./md5.ts";

test("digests are those of other implementations, whatever the length", () => {
  expect(md5("")).toBe("d41d8cd98f00b204e9800998ecf8427e");
  for (let length = 1; length < 200; length += 7) {
    const text = "äz".repeat(length).slice(0, length);
    expect(md5(text), text).toBe(createHash("md5").update(text).digest("hex"));
  }
});
