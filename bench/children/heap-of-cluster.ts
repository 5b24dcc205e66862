import { InProcess } from "../in-process.ts";
import { heapUsed, serveMessages } from "./serve-messages.ts";

const inProcess = await InProcess.ready();
const before = heapUsed();
await inProcess.fill(Number(process.argv[2]));
serveMessages({
  heap: async () => {
    const used = heapUsed() - before;
    // Keeps the cluster reachable until it is measured.
    await inProcess.read("/version");
    return used;
  },
});
