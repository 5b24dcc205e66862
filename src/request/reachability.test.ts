import { expect, test } from "vitest";
import { ReachabilityControl } from "./reachability.ts";

test("clients reach the server after all outages end, and listeners are called once per change", () => {
  const reachability = new ReachabilityControl();
  const seen: boolean[] = [];
  const stop = reachability.onChange((isReachable) => seen.push(isReachable));
  const [first, second] = [reachability.interrupt(() => {}), reachability.interrupt(() => {})];
  first();
  first();
  expect([reachability.isReachable, seen]).toEqual([false, [false]]);
  second();
  expect([reachability.isReachable, seen]).toEqual([true, [false, true]]);
  stop();
  reachability.interrupt(() => {});
  expect([reachability.isReachable, seen]).toEqual([false, [false, true]]);
});

test("an outage is notified of each refused request, and once if a port follows", () => {
  const reachability = new ReachabilityControl();
  const refused: string[] = [];
  const restore = reachability.interrupt(() => refused.push("in process"));
  reachability.refuse();
  reachability.refuse();
  restore();
  reachability.refuse();
  reachability.onChange(() => {});
  reachability.interrupt(() => refused.push("on a port"));
  expect(refused).toEqual(["in process", "in process", "on a port"]);
});
