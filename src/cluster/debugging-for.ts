import type { Debugging } from "../endpoints/contract/environment.ts";
import type { Config } from "./options.ts";

/** What clients see of the server itself. */
export function debuggingFor(config: Config): Debugging {
  const { profiling, logsHandler } = config;
  return { profiling, logsHandler, flags: () => shownFlags(config) };
}

/** The flags of kube-apiserver with an effect here, and their values as pflag writes them. None has a secret. */
function shownFlags(config: Config): ReadonlyMap<string, string> {
  const gates = [...config.givenGates].map(([name, isOn]) => `${name}=${isOn}`).sort();
  return new Map([
    ["anonymous-auth", String(config.anonymousAuth.onPort)],
    ["authorization-mode", `[${config.authorization.modes.join(",")}]`],
    ["cors-allowed-origins", `[${config.corsAllowedOrigins.map(({ source }) => source).join(",")}]`],
    ["enable-logs-handler", String(config.logsHandler)],
    ["feature-gates", gates.join(",")],
    ["max-mutating-requests-inflight", String(config.maxMutatingRequestsInflight)],
    ["max-requests-inflight", String(config.maxRequestsInflight)],
    ["profiling", String(config.profiling)],
  ]);
}
