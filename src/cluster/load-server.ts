import type { Server } from "./server.ts";
import type { ServerOptions } from "./server-options.ts";

/** Loads the code of a server, and that of the simulation where the options ask for it, and starts it. */
export async function loadServer(options: Omit<ServerOptions, "simulation">): Promise<Server> {
  const [{ createServer }, simulation] = await Promise.all([
    import("./server.ts"),
    options.config.simulation.length > 0 ? import("./simulation-for.ts") : undefined,
  ]);
  return createServer({ ...options, simulation: simulation?.simulationFor });
}
