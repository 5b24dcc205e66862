import { expect, test } from "vitest";
import { inputFrom, outputTo, terminalSizes } from "./container-streams.ts";

/** The client is there. */
const here = new AbortController().signal;

async function* pieces(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield new TextEncoder().encode(text);
}

test.each([
  [
    "sizes in a row",
    ['{"Width":80,"Hei', 'ght":24}\n{"Width":1,"Height":2}'],
    [
      [80, 24],
      [1, 2],
    ],
  ],
  ["nothing after what is no JSON", ['{"Width":80,"Height":24}{oops}{"Width":1,"Height":2}'], [[80, 24]]],
  ["nothing for a size that is none", ['{"Width":-1,"Height":24}'], []],
  ["nothing for text without an end", ["x".repeat(5000), '{"Width":1,"Height":2}'], []],
])("a terminal has %s", async (_title, texts, expected) => {
  const sizes: number[][] = [];
  for await (const { width, height } of terminalSizes(pieces(...texts))) sizes.push([width, height]);
  expect(sizes).toEqual(expected);
});

test("a terminal whose sizes are not read keeps the last ones", async () => {
  const all = Array.from({ length: 200 }, (_, at) => `{"Width":${at},"Height":1}`);
  let isTaken = () => {};
  const taken = new Promise<void>((resolve) => {
    isTaken = resolve;
  });
  async function* noted(): AsyncGenerator<Uint8Array> {
    yield* pieces(...all);
    isTaken();
  }
  const sizes = terminalSizes(noted());
  await taken;
  const widths: number[] = [];
  for await (const { width } of sizes) widths.push(width);
  expect(widths).toEqual(Array.from({ length: 64 }, (_, at) => 136 + at));
});

test("output goes in pieces that fit a frame, and is not changed afterwards", async () => {
  const sent: Uint8Array[] = [];
  const output = outputTo({ write: async (piece) => void sent.push(piece) }, here);
  const buffer = new Uint8Array(70_000).fill(1);
  await output.write(buffer);
  buffer.fill(2);
  expect(sent.map(({ byteLength }) => byteLength)).toEqual([32_768, 32_768, 4464]);
  expect(sent[0]?.[0]).toBe(1);
});

test("output of a Buffer of Node is not changed afterwards either", async () => {
  const sent: Uint8Array[] = [];
  const output = outputTo({ write: async (piece) => void sent.push(piece) }, here);
  const buffer = Buffer.from("first");
  await output.write(buffer);
  buffer.fill(0);
  expect(new TextDecoder().decode(sent[0])).toBe("first");
});

test.each([[undefined], [42], [["text"]], [new ArrayBuffer(1)]])("%j is no output", async (data) => {
  const output = outputTo({ write: async () => {} }, here);
  // What JavaScript may pass.
  await expect(output.write(data as unknown as string)).rejects.toThrow(
    new TypeError("a write takes text or a Uint8Array"),
  );
});

test("output to a client that has left lets the event loop turn", async () => {
  const output = outputTo({ write: async () => expect.unreachable("it is dropped") }, AbortSignal.abort());
  let hasTurned = false;
  setTimeout(() => {
    hasTurned = true;
  }, 0);
  while (!hasTurned) await output.write("tick\n");
});

test("input is text across pieces that cut a character", async () => {
  const [first, ...rest] = new TextEncoder().encode("é");
  async function* cut(): AsyncGenerator<Uint8Array> {
    yield Uint8Array.of(first ?? 0);
    yield Uint8Array.from(rest);
  }
  expect(await inputFrom(cut()).text()).toBe("é");
});
