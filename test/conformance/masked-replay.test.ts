import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { masked } from "../../src/cluster/service-name/service-name.ts";
import type { Difference } from "./replay/compare.ts";
import { corrected } from "./replay/corrections.ts";
import { type Exchange, preludeOf, transcript } from "./replay/exchange.ts";
import { type Outcome, replay } from "./replay/replay.ts";

const areas = [
  ..."discovery crud listwatch patch apply podsecurity kinds access crd crd-cel".split(" "),
] as const;

const expectations: readonly { readonly area: string; readonly n: number }[] = JSON.parse(
  readFileSync(new URL("./expectations/replay.json", import.meta.url), "utf8"),
);

describe.each(areas)("the %s transcript with masked names", (area) => {
  test("gets equal responses from a cluster with masked names", async () => {
    const outcomes = await replay(transcript(area).map(corrected).map(maskedExchange), preludeOf(area), {
      identifiers: "svc",
    });
    const known = new Set(expectations.filter((entry) => entry.area === area).map(({ n }) => n));
    const different = outcomes.filter((outcome) => !known.has(outcome.exchange.n) && isDifferent(outcome));
    expect(different.map(({ exchange, differences: [first] }) => ({ n: exchange.n, first }))).toEqual([]);
  });
});

/** A recording as a specification with masked names would have it. */
function maskedExchange(exchange: Exchange): Exchange {
  return { ...JSON.parse(masked(JSON.stringify(exchange))), names: "svc" };
}

function isDifferent({ exchange, differences }: Outcome): boolean {
  const isHexadecimal = /^[0-9a-f]{16,}$/.test(recordedText(exchange.res.body));
  return differences.some(
    (difference) =>
      // Protobuf is recorded in hexadecimal, which has no mask.
      !(isHexadecimal && /^(body|texts)$/.test(difference.path)) && !isSameStart(difference),
  );
}

/** The text of a recorded body, or of its beginning; empty for JSON. */
function recordedText(body: unknown): string {
  if (typeof body === "string") return body;
  return typeof body === "object" && body !== null && "truncated" in body ? String(body.truncated) : "";
}

/** A long body is recorded by its beginning, which may end within a name, and by its digest, which has no mask. */
function isSameStart({ path, recorded, actual }: Difference): boolean {
  if (path !== "sha512" && path !== "beginning") return false;
  const longestName = 20;
  return String(actual).startsWith(String(recorded).slice(0, -longestName));
}
