import { RunServer, type SharedServer } from "./shared-server.ts";
import type { ClusterTestOptions } from "./test-clusters.ts";

/** The part of Vitest's project that a global setup needs. */
interface ProvidingProject {
  readonly provide: (key: "kubedouble", value: SharedServer) => void;
}

/** A global setup: it returns its teardown. */
export type GlobalSetup = (project: ProvidingProject) => Promise<() => Promise<void>>;

/**
 * The `setup` of a module for Vitest's `globalSetup`: one server for all workers, which get it from
 * `inject("kubedouble")`. Tests see each other's writes.
 */
export function sharedServer(options: ClusterTestOptions = {}): GlobalSetup {
  return async (project) => {
    const server = await RunServer.start(options);
    project.provide("kubedouble", server.shared);
    return () => server.stop();
  };
}

/** `globalSetup: "kubedouble/vitest/global-setup"` starts a server with a new cluster. */
export const setup: GlobalSetup = sharedServer();

declare module "vitest" {
  interface ProvidedContext {
    /** The server of `kubedouble/vitest/global-setup`. */
    kubedouble: SharedServer;
  }
}
