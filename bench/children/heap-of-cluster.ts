import { InProcess } from "../in-process.ts";
import { heapUsed, serveMessages } from "./serve-messages.ts";

const asked = await InProcess.ready();
const before = heapUsed();
await asked.fill(Number(process.argv[2]));
serveMessages({
  heap: async () => {
    const used = heapUsed() - before;
    // What is asked afterwards is not garbage before.
    await asked.read("/version");
    return used;
  },
});
