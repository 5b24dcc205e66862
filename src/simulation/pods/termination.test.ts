import { expect, test } from "vitest";
import type { ContainerRole } from "../contract/scripted-life.ts";
import { type StoppingContainer, stopsOf } from "./termination.ts";

const seconds = 1000;

function container(name: string, role: ContainerRole, takes: number, sleep?: number): StoppingContainer {
  const spec = sleep === undefined ? {} : { lifecycle: { preStop: { sleep: { seconds: sleep } } } };
  const life = { name: "", exit: undefined, terminationTakes: takes * seconds };
  return {
    container: { name, role, spec },
    state: { restarts: 0, running: { startedAt: 0, id: name } },
    life,
  };
}

const ended = (one: StoppingContainer, finishedAt: number): StoppingContainer => ({
  ...one,
  state: { restarts: 0, ended: { exitCode: 0, reason: "Completed", startedAt: 0, finishedAt, id: "" } },
});

const [s1, s2] = [container("s1", "sidecar", 1), container("s2", "sidecar", 1)];
const a = container("a", "regular", 5);

test.each<
  [title: string, containers: readonly StoppingContainer[], grace: number, expected: readonly string[]]
>([
  ["sidecars stop after the others, in reverse order", [s1, s2, a], 30, ["a 5", "s2 6", "s1 7"]],
  ["when the grace period is over, all are asked", [s1, s2, a], 4, ["a 4 killed", "s2 5", "s1 5"]],
  ["a sidecar has two seconds at least", [container("s", "sidecar", 9), a], 4, ["a 4 killed", "s 6 killed"]],
  ["so has every container", [container("b", "regular", 9)], 1, ["b 2 killed"]],
  ["containers that have ended are not waited for", [s1, ended(a, 0)], 30, ["s1 1"]],
  ["a hook comes before", [container("b", "regular", 1, 3)], 30, ["b 4"]],
  ["hooks of sidecars begin at once", [container("s", "sidecar", 1, 4), a], 30, ["a 5", "s 6"]],
  [
    "a hook of a sidecar may take longer than the others",
    [container("s", "sidecar", 1, 9), a],
    30,
    ["a 5", "s 10"],
  ],
  ["a hook that takes too long is cut off", [container("b", "regular", 1, 40)], 30, ["b 31"]],
])("%s", (_title, containers, grace, expected) => {
  const stops = stopsOf(containers, 0, grace * seconds);
  expect(
    stops.map(
      ({ container: { name }, at, isKilled }) => `${name} ${at / seconds}${isKilled ? " killed" : ""}`,
    ),
  ).toEqual(expected);
});
