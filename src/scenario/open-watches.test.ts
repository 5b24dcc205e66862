import { expect, test } from "vitest";
import { pulled } from "../request/pushed-body.ts";
import { openEntry } from "./logged-request.ts";
import { OpenWatches } from "./open-watches.ts";

const arrival = { method: "GET", target: "/", remoteAddress: "", userAgent: "", auditId: "", receivedAt: 0 };
const requestAbout = (resource: string) => ({ ...openEntry(arrival), verb: "watch", resource });

/** A watch with some chunks that a client reads, and the number of times it has ended. */
function opened(source: AsyncIterable<Uint8Array>) {
  const watches = new OpenWatches();
  const ends = { count: 0 };
  const headers = [["Content-Type", "application/json"]] as const;
  watches.track(requestAbout("pods"), { status: 200, headers, body: source }, () => {
    ends.count += 1;
  });
  const [watch] = watches.matching({ resource: "pods" });
  if (watch === undefined) throw new Error("the watch is not known");
  return { watches, watch, ends };
}

async function* pieces(...texts: readonly string[]) {
  for (const text of texts) yield new TextEncoder().encode(text);
}

test("a watch is listed while it is open, if the filter matches", async () => {
  const { watches, watch, ends } = opened(pieces("a"));
  expect([watch.contentType, watches.matching({ resource: "nodes" })]).toEqual(["application/json", []]);
  watch.close();
  watch.close();
  expect([watches.matching({}), ends.count]).toEqual([[], 1]);
});

test("a response that is not a stream is not a watch", () => {
  const watches = new OpenWatches();
  const refusal = { status: 410, headers: [], body: new Uint8Array() };
  expect(watches.track(requestAbout("pods"), refusal, () => {})).toBe(refusal);
  expect(watches.matching({})).toEqual([]);
});

test("a chunk counts as delivered when the reader requests the next one", async () => {
  const { watch } = opened(pieces("a", "b", "c"));
  const seen: (string | undefined)[] = [];
  const reader = pulled(watch);
  await reader.next();
  const stop = watch.observe((piece) => seen.push(piece && new TextDecoder().decode(piece)));
  await reader.next();
  expect(seen).toEqual(["a"]);
  await reader.next();
  expect(seen).toEqual(["a", "b"]);
  watch.close();
  expect(seen).toEqual(["a", "b", undefined]);
  stop();
});

test("breaking a watch ends its source, and its reader gets the error", async () => {
  let isEnded = false;
  async function* endless() {
    try {
      for (;;) yield new Uint8Array(1);
    } finally {
      isEnded = true;
    }
  }
  const { watches, watch, ends } = opened(endless());
  const reader = pulled(watch);
  await reader.next();
  const error = new Error("broken");
  watch.break(error);
  await expect(reader.next()).rejects.toBe(error);
  expect(await reader.next()).toEqual({ done: true, value: undefined });
  expect([isEnded, watches.matching({}), ends.count]).toEqual([true, [], 1]);
});
