import { describe, expect, test } from "vitest";
import { cases, leftOut } from "../../scoreboard/cases.ts";
import {
  busiestSecond,
  formatOutcomes,
  isAlike,
  type Observation,
  type Outcome,
  outcomeOf,
} from "../../scoreboard/outcome.ts";
import { formatPage } from "../../scoreboard/page.ts";
import * as lives from "../../src/scenario/pod-lives.ts";
import * as presets from "../../src/scenario/presets.ts";

const seen: Observation = {
  hit: true,
  caughtUpAfter: undefined,
  gaveUp: undefined,
  lost: false,
  seconds: 45.2,
  busiest: 3,
};

describe("the outcome of a client and a failure:", () => {
  test.each<[string, Partial<Observation>, string]>([
    ["it has caught up immediately", { caughtUpAfter: 0.3 }, "recovered"],
    ["it has caught up later", { caughtUpAfter: 30.4 }, "recovered after 30 s"],
    ["it reports its end", { gaveUp: "error event: 429" }, "**died** (error event: 429)"],
    ["it reports its end, but continues", { gaveUp: "exit status 0", caughtUpAfter: 0 }, "recovered"],
    ["it ends without all output", { gaveUp: "exit status 0", lost: true }, "**lost** output"],
    ["it does nothing", {}, "**stale** for 45 s and more"],
    [
      "it sends requests without a pause",
      { busiest: 90, caughtUpAfter: 0.1 },
      "**looped** (90 requests in a second), recovered",
    ],
    ["it is not affected", { hit: false, caughtUpAfter: 0 }, "– (it never sends such a request)"],
  ])("%s", (_title, observed, words) => {
    expect(formatOutcomes([outcomeOf({ ...seen, ...observed })])).toBe(words);
  });

  test("outcomes that differ only slightly in time are alike", () => {
    const recovered = (seconds: number): Outcome => ({ kind: "recovered", seconds, looped: 0 });
    expect(isAlike(recovered(0.2), recovered(2))).toBe(true);
    expect(isAlike(recovered(0.2), recovered(30))).toBe(false);
    expect(isAlike(recovered(1), { kind: "stale", seconds: 1, looped: 0 })).toBe(false);
    expect(formatOutcomes([recovered(0.2), recovered(2.1)])).toBe("recovered after 0 to 2 s");
  });
});

test("the busiest second may begin anywhere and counts one path", () => {
  const at = (path: string, ...times: readonly number[]) => times.map((receivedAt) => ({ path, receivedAt }));
  expect(busiestSecond([])).toBe(0);
  expect(busiestSecond(at("/api", 0, 900, 1_000, 1_100, 1_899, 2_500))).toBe(4);
  expect(busiestSecond([...at("/api", 0, 1), ...at("/apis", 2, 3, 4)])).toBe(3);
});

describe("the page", () => {
  const [first, second] = cases.filter(({ task }) => task === "follow");
  const third = cases.find(({ task }) => task === "write");
  if (first === undefined || second === undefined || third === undefined) throw new Error("too few cases");
  const died: Outcome = { kind: "died", words: "exit status 1", looped: 0 };
  const recovered: Outcome = { kind: "recovered", seconds: 0, looped: 0 };
  const row = (version: string, ...outcomes: readonly (Outcome | undefined)[]) => ({
    client: { name: "kubectl", version, tasks: {} },
    outcomes,
  });

  test("puts versions with the same outcomes in one column, and others in another column", () => {
    const measured = [
      row("1.27", died, recovered, undefined),
      row("1.28", died, recovered, undefined),
      { ...row("1", died, recovered, undefined), client: { name: "another", version: "1", tasks: {} } },
      row("1.29", recovered, recovered, undefined),
    ];
    const lines = formatPage([first, second, third], measured, []).split("\n");
    expect(lines).toContain("| Failure | kubectl 1.27, 1.28 | kubectl 1.29 | another 1 |");
    expect(lines).toContain(
      `| ${first.title} | **died** (exit status 1) | recovered | **died** (exit status 1) |`,
    );
    expect(lines).toContain(`| ${second.title} | recovered | recovered | recovered |`);
  });

  test("says why a client was not measured", () => {
    const page = formatPage(
      [first],
      [],
      [{ name: "Python kubernetes", reason: "no installed Python has it" }],
    );
    expect(page).toContain("- Python kubernetes: no installed Python has it.\n");
  });
});

test("no two failures have the same title", () => {
  const titles = cases.map(({ title }) => title);
  expect(new Set(titles).size).toBe(titles.length);
});

test("every failure is on the scoreboard or listed as left out, with the reason", () => {
  const measured = cases.flatMap(({ faults }) => faults({ resource: "configmaps" }).map(({ name }) => name));
  // This function runs work while a fault is active; the lives of pods are no failures of requests.
  const others = new Set(["whileDisconnected", ...Object.keys(lives)]);
  const named = Object.keys(presets).filter((name) => !others.has(name));
  expect([...new Set([...measured, ...Object.keys(leftOut)])].sort()).toEqual(named.sort());
});
