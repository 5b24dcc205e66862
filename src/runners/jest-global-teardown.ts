import { stopSharedServer } from "./jest-global-setup.ts";

/** Stops the server that `kubedouble/jest/global-setup` has started. */
// biome-ignore lint/style/noDefaultExport: Jest calls the default export
export default async function teardown(): Promise<void> {
  await stopSharedServer();
}
