import type { Server } from "./server.ts";
import type { ServerOptions } from "./server-options.ts";

/** Loads the code of a server, and that of the simulation and of masked names where the options ask for them, and starts it. */
export async function loadServer(options: Omit<ServerOptions, "simulation">): Promise<Server> {
  const { simulation: wanted, names } = options.config;
  const [{ createServer }, simulation, masked] = await Promise.all([
    import("./server.ts"),
    wanted.length > 0
      ? import("./simulation-for.ts").then(({ loadSimulation }) => loadSimulation())
      : undefined,
    names === "svc" ? import("./masked-server.ts") : undefined,
  ]);
  const complete = { ...options, simulation };
  return masked === undefined ? createServer(complete) : masked.maskedServer(complete);
}
