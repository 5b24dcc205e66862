import { expect, test } from "vitest";
import { cases } from "../../scoreboard/cases.ts";
import { observe } from "../../scoreboard/cell.ts";
import { clientNode } from "../../scoreboard/clients.ts";
import { outcomeOf } from "../../scoreboard/outcome.ts";

const tasks = Object.assign(
  {},
  ...clientNode("client-node-1").map((client) => ("tasks" in client ? client.tasks : {})),
);

test.each([
  ["410 when the watch is opened", "recovered"],
  ["429 on the watch, Retry-After 1 s", "died"],
  ["429 on the list, Retry-After 1 s", "died"],
  ["an API group is down", "unmeasured"],
  ["upgrades refused with 400", "died"],
])("client-node and the failure %s: %s", { timeout: 60_000 }, async (title, kind) => {
  const one = cases.find((candidate) => candidate.title === title);
  if (one === undefined) throw new Error(`no case is called ${title}`);
  expect(outcomeOf(await observe(tasks[one.task], one))).toMatchObject({ kind });
});
