import { RunServer } from "./shared-server.ts";
import { sharedServerVariable } from "./shared-variable.ts";
import type { ClusterTestOptions } from "./test-clusters.ts";

/** The key under which the setup stores its server for the teardown, which Jest loads as another module. */
const running: unique symbol = Symbol.for("kubedouble.running");

/** The global object of Jest's setup and teardown. */
type SetupWorld = typeof globalThis & { [running]?: RunServer };

/**
 * A function for Jest's `globalSetup`: one server for all workers, which get it from `sharedServer()` of
 * `kubedouble/jest`. Tests see each other's writes.
 */
export function sharedServerSetup(options: ClusterTestOptions = {}): () => Promise<void> {
  return async () => {
    const server = await RunServer.start(options);
    (globalThis as SetupWorld)[running] = server;
    process.env[sharedServerVariable] = JSON.stringify(server.shared);
  };
}

/** Stops the server that the setup has started. */
export async function stopSharedServer(): Promise<void> {
  const world = globalThis as SetupWorld;
  const server = world[running];
  delete world[running];
  delete process.env[sharedServerVariable];
  await server?.stop();
}

const setup: () => Promise<void> = sharedServerSetup();

// biome-ignore lint/style/noDefaultExport: Jest calls the default export
export default setup;
