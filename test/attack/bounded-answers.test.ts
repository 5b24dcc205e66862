import { afterAll, expect, test } from "vitest";
import { costlyRequests } from "./costly/costly-requests.ts";
import { CostlyServer } from "./costly/costly-server.ts";

const server = new CostlyServer();
afterAll(() => server.close());

/** The errors of these requests show a whole list for each of its elements; upstream's answers would have gigabytes. */
test.each([
  ["resourcequota: scopes", 20_000],
  ["resourcequota: scopes that do not fit", 20_000],
  ["metadata: ownerReferences that control", 5000],
])("the answer to %s is bounded", async (name, size) => {
  const costly = costlyRequests.find((one) => one.name === name);
  if (costly === undefined) throw new Error(`there is no costly request ${name}`);
  const { status, bytes } = await (await server.prepared(costly, size))();
  expect(status).toBe(422);
  expect(bytes).toBeLessThan(40_000_000);
});
