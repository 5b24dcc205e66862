import zlib from "node:zlib";
import { expect, test } from "vitest";
import { HeaderReader, HeaderWriter } from "./header-blocks.ts";
import { headerDictionary } from "./header-dictionary.ts";

test("headers of zlib", async () => {
  const d = zlib.createDeflate({ dictionary: headerDictionary() });
  let out: Buffer[] = [];
  d.on("data", (p) => out.push(p));
  const comp = (b: Uint8Array) => new Promise<Uint8Array>((resolve) => { out = []; d.write(b); d.flush(zlib.constants.Z_SYNC_FLUSH, () => resolve(Buffer.concat(out))); });
  const block = (n: string, v: string) => { const t = (s: string) => Buffer.concat([Buffer.from([0, 0, 0, s.length]), Buffer.from(s)]); return Buffer.concat([Buffer.from([0, 0, 0, 1]), t(n), t(v)]); };
  const reader = new HeaderReader();
  console.log(1);
  expect([...await reader.read(await comp(block("streamtype", "error")))]).toEqual([["streamtype", "error"]]);
  console.log(2);
  expect([...await reader.read(await comp(block("streamtype", "stdout")))]).toEqual([["streamtype", "stdout"]]);
  const writer = new HeaderWriter();
  const inf = zlib.createInflate({ dictionary: headerDictionary() });
  const got: Buffer[] = []; inf.on("data", (p) => got.push(p));
  await new Promise((r) => inf.write(writer.write([]), r));
  await new Promise((r) => inf.write(writer.write([]), r));
  expect(Buffer.concat(got).length).toBe(8);
});
