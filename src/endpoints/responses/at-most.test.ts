import { expect, test } from "vitest";
import { AtMost } from "./at-most.ts";

/** Runs tasks that the test ends, and says which have started and what became of each. */
function started(count: number) {
  const atMost = new AtMost(2);
  const running: string[] = [];
  const ends: (() => void)[] = [];
  const results = Array.from({ length: count }, (_, at) =>
    atMost.run(() => {
      running.push(`${at}`);
      return new Promise<string>((resolve, reject) => {
        ends[at] = () => (at === 1 ? reject(new Error("1 fails")) : resolve(`${at} ends`));
      });
    }),
  );
  return { running, results, end: (at: number) => ends[at]?.() };
}

/** All that follows from what has happened so far is done. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

test("two tasks run at a time, and each that ends or fails makes room for the next", async () => {
  const { running, results, end } = started(5);
  expect(running).toEqual(["0", "1"]);
  await settled();
  expect(running).toEqual(["0", "1"]);
  const failed = expect(results[1]).rejects.toThrow("1 fails");
  end(1);
  await failed;
  await settled();
  expect(running).toEqual(["0", "1", "2"]);
  end(2);
  end(0);
  await settled();
  expect(running).toEqual(["0", "1", "2", "3", "4"]);
  for (const at of [3, 4]) end(at);
  expect(await Promise.all([0, 2, 3, 4].map((at) => results[at]))).toEqual([
    "0 ends",
    "2 ends",
    "3 ends",
    "4 ends",
  ]);
});

test("places are free again after all tasks", async () => {
  const atMost = new AtMost(2);
  let most = 0;
  let now = 0;
  const task = async () => {
    now += 1;
    most = Math.max(most, now);
    await settled();
    now -= 1;
  };
  for (const _round of [1, 2, 3]) {
    most = 0;
    await Promise.all(Array.from({ length: 7 }, () => atMost.run(task)));
    expect(most).toBe(2);
  }
});
