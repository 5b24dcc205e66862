export type { FaultHandle } from "./fault.ts";
export type { LoggedRequest } from "./logged-request.ts";
export {
  etcdLeaderChange,
  namespaceTerminating,
  notReady,
  storageInitializing,
  type ThrottleOptions,
  type TooLargeOptions,
  throttle,
  tooLargeResourceVersion,
  unauthorizedOnce,
  type WebhookTimeoutOptions,
  webhookTimeout,
} from "./refusals.ts";
export type { RequestScope } from "./request-matcher.ts";
export type { Scenario, ScenarioOptions, Strike, StruckServer } from "./scenario.ts";
export { type ContinueExpiredOptions, conflict, continueExpired } from "./state-failures.ts";
export { type CutOptions, pairEvents, reset, type SliceOptions, slice, truncate } from "./stream-bytes.ts";
export {
  bareStatus,
  closeWatch,
  freeze,
  noInitialEventsEnd,
  refuseInitialEvents,
  type StreamErrorOptions,
  type StreamOptions,
  streamError,
  unknownEvent,
  type WatchGoneOptions,
  watchGone,
} from "./watch-failures.ts";
