import { expect, test } from "vitest";
import { rollUp } from "../../tools/roll-up.ts";

const declarations = new Map([
  [
    "index",
    `export { make as create } from "./make.ts";
export type { Options } from "./options.ts";
export * from "./more.ts";
export declare const limit = 3;
`,
  ],
  [
    "make",
    `import type { Options, Kept } from "./options.ts";
import type { Thing as Foreign } from "thing";
/** Makes. */
export declare function make(options: Options): Foreign;
export declare function make(): Made;
declare class Made {
    #private;
    // what it keeps
    readonly kept: Kept;
}
export declare function unreachable(): void;
export {};
`,
  ],
  [
    "options",
    `export interface Options {\n    readonly name: string;\n}\nexport type Kept = "/* text */";\n`,
  ],
  ["more", `export type More = import("thing").Other;\n`],
]);

test("a roll-up holds what an entry exports and all that can be reached from it", () => {
  expect(
    rollUp(declarations, "index"),
  ).toBe(`// Written by \`npm run api\`: what this entry exports, and all that can be reached from it.

export { More, Options, create, limit };

// uses Thing from thing

// src/index.ts

const limit = 3;

// src/make.ts

class Made {
    #private;
    readonly kept: Kept;
}

function make(options: Options): Foreign;
function make(): Made;

// src/more.ts

type More = import("thing").Other;

// src/options.ts

type Kept = "/* text */";

interface Options {
    readonly name: string;
}
`);
});

test("of what another entry has as well it gives the names", () => {
  const besides = new Map(declarations).set(
    "besides",
    `import type { More } from "./more.ts";
import type { Kept, Options } from "./options.ts";
export declare function keep(options: Options): Own;
type Own = Kept | More;
`,
  );
  expect(
    rollUp(besides, "besides", "index"),
  ).toBe(`// Written by \`npm run api\`: what this entry exports, and all that can be reached from it.

export { keep };

// src/besides.ts

type Own = Kept | More;

function keep(options: Options): Own;

// src/more.ts

// as in index.d.ts: More

// src/options.ts

// as in index.d.ts: Kept, Options
`);
});
