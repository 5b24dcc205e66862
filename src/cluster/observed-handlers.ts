import type { AdmissionChain } from "../admission/admission-chain.ts";
import type { ChainMeasures } from "../admission/measured.ts";
import type { UserInfo } from "../apimachinery/user-info.ts";
import { ExpiredCredentials } from "../authentication/expired-credentials.ts";
import type { Handler } from "../request/handler.ts";
import { ReachabilityControl } from "../request/reachability.ts";
import { OpenWatches } from "../scenario/open-watches.ts";
import type { RequestLog } from "../scenario/request-log.ts";
import { RequestObserver } from "./request-observer.ts";
import { createHandler, type Pipeline } from "./serve.ts";
import type { ServerOptions } from "./server-options.ts";
import type { PipelineParts } from "./server-pipelines.ts";
import { otherWriter, stateChanges } from "./state-changes.ts";

/** How requests that are recorded for themselves differ from others. */
export interface LoggedHandlerOptions {
  readonly log: RequestLog;
  /** The user of every request, whatever credentials it has. */
  readonly user: UserInfo;
  readonly chainOf: (usual: AdmissionChain, measures: ChainMeasures) => AdmissionChain;
}

export function observerOf(
  { config, store, tokens, expired, log, faults, reachability, watches }: ServerOptions,
  handler: Handler,
): RequestObserver {
  const { catalog, clock } = config;
  return new RequestObserver({
    log,
    faults,
    reachability,
    expired,
    watches,
    clock,
    watchFormat: async (contentType) =>
      (await import("../scenario/watch-format.ts")).watchFormatOf(contentType, catalog),
    changesFor: stateChanges(store, handler, () => tokens.issue(otherWriter)),
  });
}

export function loggedHandlers(
  options: ServerOptions,
  parts: PipelineParts,
  handler: Handler,
  readiness: Pipeline["readiness"],
): (options: LoggedHandlerOptions) => Handler {
  const { environment } = parts;
  const { admission, admissionMetrics: metrics, clock } = environment;
  return ({ log, user, chainOf }) =>
    createHandler({
      ...parts,
      environment: { ...environment, admission: chainOf(admission, { clock, metrics }) },
      authenticate: () => ({ type: "authenticated", user }),
      observer: observerOf(unaffected(options, log), handler),
      readiness,
    });
}

/** The options with a log of its own, and without what tests inject. */
function unaffected(options: ServerOptions, log: RequestLog): ServerOptions {
  return {
    ...options,
    log,
    faults: options.faults.none(log),
    reachability: new ReachabilityControl(),
    expired: new ExpiredCredentials(),
    watches: new OpenWatches(),
  };
}
