import { RunServer, type SharedServer } from "./shared-server.ts";
import type { ClusterTestOptions } from "./test-clusters.ts";

/** What of Vitest's project a global setup needs. */
interface ProvidingProject {
  readonly provide: (key: "kubedouble", value: SharedServer) => void;
}

/** A global setup: its result ends it. */
export type GlobalSetup = (project: ProvidingProject) => Promise<() => Promise<void>>;

/**
 * The `setup` of a module for Vitest's `globalSetup`: one server for all workers, which they find by
 * `inject("kubedouble")`. What one test writes, others see.
 */
export function sharedServer(options: ClusterTestOptions = {}): GlobalSetup {
  return async (project) => {
    const server = await RunServer.start(options);
    project.provide("kubedouble", server.shared);
    return () => server.stop();
  };
}

/** `globalSetup: "kubedouble/vitest/global-setup"` starts a server with a fresh cluster. */
export const setup: GlobalSetup = sharedServer();

declare module "vitest" {
  interface ProvidedContext {
    /** Where the server of `kubedouble/vitest/global-setup` is. */
    kubedouble: SharedServer;
  }
}
