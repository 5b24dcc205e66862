import { serve } from "../../src/transports/node/serve.ts";
import { InProcess } from "../in-process.ts";
import { serveMessages } from "./serve-messages.ts";

const watched = "/api/v1/namespaces/default/configmaps";
const asked = await InProcess.ready();
await asked.fill(1);
const serving = await serve(asked.cluster, { tls: false });
const encoder = new TextEncoder();
const data = { text: "x".repeat(500) };
let serial = 0;

async function create(): Promise<void> {
  const metadata = { name: `event-${String(serial++).padStart(6, "0")}` };
  await asked.ask("POST", watched, encoder.encode(JSON.stringify({ metadata, data })));
}
// From here to revision 10,000 all events are of one length.
while (serial < 1000) await create();

serveMessages({
  port: () => serving.port,
  token: () => asked.cluster.adminToken(),
  revision: async () => JSON.parse(await asked.read(`${watched}?limit=1`)).metadata.resourceVersion,
  /** So many events, each in a turn of its own. */
  events: async (count) => {
    for (let index = 0; index < Number(count); index++) {
      await create();
      await new Promise((resolve) => setImmediate(resolve));
    }
  },
});
