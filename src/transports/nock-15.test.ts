import { test, vi } from "vitest";
import { nockFacts } from "../../test/transports/nock-facts.ts";
import { tooOldFor } from "../../test/transports/too-old-for.ts";

vi.mock("nock", () => import("nock-15"));

const tooOld = tooOldFor("nock 15", 22);
if (tooOld !== undefined) {
  test.skip(tooOld, () => {});
} else {
  const { default: nock } = await import("nock-15");
  const { interceptKubernetes } = await import("./nock.ts");
  nockFacts(nock, interceptKubernetes);
}
