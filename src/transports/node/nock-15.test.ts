import { Agent, request } from "undici-7";
import { test, vi } from "vitest";
import { undiciRequestClient, unpooled } from "../../../test/transports/clients.ts";
import { nockFacts } from "../../../test/transports/nock-facts.ts";
import { tooOldFor } from "../../../test/transports/too-old-for.ts";
import { transportFacts } from "../../../test/transports/transport-facts.ts";

vi.mock("nock", () => import("nock-15"));

const tooOld = tooOldFor("nock 15", 22);
if (tooOld !== undefined) {
  test.skip(tooOld, () => {});
} else {
  const { default: nock } = await import("nock-15");
  const { interceptKubernetes } = await import("./nock.ts");
  transportFacts(
    "a client's own undici",
    (cluster) => {
      interceptKubernetes(cluster, "https://undici.test");
      return undiciRequestClient(request, "https://undici.test", new Agent(unpooled));
    },
    { refuses: ["TRACE"], joinsHeaders: true, readsAhead: true },
  );
  nockFacts(nock, interceptKubernetes);
}
