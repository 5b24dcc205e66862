export type { FaultHandle } from "./fault.ts";
export { type GroupDownOptions, groupDown } from "./group-down.ts";
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
export { type LatencyOptions, latency } from "./slowness.ts";
export { type ContinueExpiredOptions, conflict, continueExpired } from "./state-failures.ts";
export { type CutOptions, pairEvents, reset, type SliceOptions, slice, truncate } from "./stream-bytes.ts";
export {
  bareStatus,
  closeWatch,
  freeze,
  type StreamErrorOptions,
  type StreamOptions,
  streamError,
  unknownEvent,
  type WatchGoneOptions,
  watchGone,
} from "./watch-failures.ts";
export {
  type BookmarksOptions,
  bookmarks,
  doubledInitialEventsEnd,
  type LateInitialEventsEndOptions,
  lateInitialEventsEnd,
  noInitialEventsEnd,
  refuseInitialEvents,
} from "./watch-progress.ts";
