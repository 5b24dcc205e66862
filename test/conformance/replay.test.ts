import { readFileSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { corrected } from "./replay/corrections.ts";
import { preludeOf, transcript } from "./replay/exchange.ts";
import { type Outcome, replay } from "./replay/replay.ts";

/** A known difference and its reason. A listed difference that no longer exists fails the run. */
interface Expectation {
  readonly area: string;
  readonly n: number;
  readonly reason: string;
}

const expectations: readonly Expectation[] = JSON.parse(
  readFileSync(new URL("./expectations/replay.json", import.meta.url), "utf8"),
);

/** The replayed transcripts, and the share of each that must be equal. */
const areas: readonly (readonly [area: string, share: number])[] = [
  ["discovery", 0.99],
  ["crud", 0.97],
  ["listwatch", 0.98],
  ["patch", 0.97],
  ["apply", 0.98],
  ["podsecurity", 0.97],
  ["kinds", 0.97],
  ["access", 0.98],
  ["crd", 0.98],
  ["crd-cel", 0.98],
];

const report: string[] = [];

describe.each(areas)("the %s transcript of a real 1.32", (area, share) => {
  test("gets equal responses", async () => {
    const outcomes = await replay(transcript(area).map(corrected), preludeOf(area));
    const different = outcomes.filter(({ differences }) => differences.length > 0);
    const known = new Set(expectations.filter((entry) => entry.area === area).map(({ n }) => n));
    report.push(summary(area, outcomes.length - different.length, outcomes.length));
    if (process.env["REPLAY_VERBOSE"]) console.log(different.map(describeOutcome).join("\n"));
    expect(different.filter(({ exchange }) => !known.has(exchange.n)).map(describeOutcome)).toEqual([]);
    const gone = [...known].filter((n) => !different.some(({ exchange }) => exchange.n === n));
    expect(gone, "listed differences that no longer exist").toEqual([]);
    expect((outcomes.length - different.length) / outcomes.length).toBeGreaterThanOrEqual(share);
  });
});

afterAll(() => {
  console.log(report.join("\n"));
});

function summary(area: string, equal: number, total: number): string {
  return `${area}: ${equal} of ${total} exchanges equal (${((100 * equal) / total).toFixed(1)} %)`;
}

function describeOutcome({ exchange, differences }: Outcome): string {
  const [first] = differences;
  const shown = (value: unknown) => JSON.stringify(value)?.slice(0, 300);
  const { method, path } = exchange.req;
  return `${exchange.n} ${exchange.note}: ${method} ${path.slice(0, 120)} at ${first?.path}\n    recorded ${shown(first?.recorded)}\n    actual   ${shown(first?.actual)}`;
}
