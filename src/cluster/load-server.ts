import type { Server } from "./server.ts";
import type { ServerOptions } from "./server-options.ts";

/** Loads the code of the server and creates one. Few clusters mask names, so that code is loaded only for them. */
export async function loadServer(options: ServerOptions): Promise<Server> {
  if (options.config.names === "svc") {
    const { maskedServer } = await import("./masked-server.ts");
    return maskedServer(options);
  }
  const { createServer } = await import("./server.ts");
  return createServer(options);
}
