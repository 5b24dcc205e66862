import type { Config } from "./options.ts";

/** The configuration of a fork, with copies of all that changes. `objects` are those that it has to load yet. */
export function forkedConfig(config: Config, objects: Config["objects"]): Config {
  return {
    ...config,
    objects,
    clock: config.clock.fork(),
    identifiers: config.identifiers.fork(),
    loads: config.loads.fork(),
    podScripts: config.podScripts.fork(),
    simulatedFailures: config.simulatedFailures.fork(),
  };
}
