import { existsSync } from "node:fs";
import { basename, dirname } from "node:path";
import { expect, test } from "vitest";
import { packedFiles } from "../../tools/packed-files.mjs";
import { minifyJson } from "../../tools/raw-text.mjs";

test.each([...packedFiles].map(([path, pack]) => [basename(path), path, pack] as const))(
  "%s is generated when a source imports it, in its packed form, and is not a file",
  (name, path, pack) => {
    const text = pack(dirname(path));
    expect(text).not.toBe("");
    if (name.endsWith(".json")) expect(text).toBe(minifyJson(text));
    expect(existsSync(path)).toBe(false);
  },
);
