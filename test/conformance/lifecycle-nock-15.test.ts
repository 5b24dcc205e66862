import { Agent, request } from "undici-7";
import { test, vi } from "vitest";
import { undiciRequestClient, unpooled } from "../transports/clients.ts";
import { tooOldFor } from "../transports/too-old-for.ts";
import { lifecycle } from "./lifecycle.ts";
import { nockLifecycle } from "./lifecycle-nock.ts";

vi.mock("nock", () => import("nock-15"));

const tooOld = tooOldFor("nock 15", 22);
if (tooOld !== undefined) {
  console.log(`skipped: ${tooOld}`);
  test.skip(tooOld, () => {});
} else {
  const { interceptKubernetes } = await import("../../src/transports/node/nock.ts");
  nockLifecycle("nock 15", interceptKubernetes);
  lifecycle("nock 15, a client with its own undici", (cluster) => {
    const { restore } = interceptKubernetes(cluster, "https://undici.test");
    return { ...undiciRequestClient(request, "https://undici.test", new Agent(unpooled)), close: restore };
  });
}
