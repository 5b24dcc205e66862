import { serve } from "../../src/transports/node/serve.ts";
import { InProcess } from "../in-process.ts";
import { serveMessages } from "./serve-messages.ts";

const [security, pods] = process.argv.slice(2);
const watched = "/api/v1/namespaces/default/configmaps";
const inProcess = await InProcess.ready();
await inProcess.fill(Number(pods));
const serving = await serve(inProcess.cluster, { tls: security === "tls" });
const encoder = new TextEncoder();
const data = { text: "x".repeat(500) };
let serial = 0;

async function create(): Promise<void> {
  const metadata = { name: `event-${String(serial++).padStart(6, "0")}` };
  await inProcess.ask("POST", watched, encoder.encode(JSON.stringify({ metadata, data })));
}
// From here to revision 10,000 all events have the same length.
while (serial < 1000) await create();

serveMessages({
  port: () => serving.port,
  token: () => inProcess.cluster.adminToken(),
  revision: async () => JSON.parse(await inProcess.read(`${watched}?limit=1`)).metadata.resourceVersion,
  /** Creates this many events, each in its own turn. */
  events: async (count) => {
    for (let index = 0; index < Number(count); index++) {
      await create();
      await new Promise((resolve) => setImmediate(resolve));
    }
  },
});
