export {
  deleteReturns,
  type EmptyAsNullOptions,
  emptyAsNull,
  type LargeEventOptions,
  largeEvent,
} from "./answer-shapes.ts";
export {
  type DrainBlockedOptions,
  drainBlocked,
  type ImageUnavailableOptions,
  imageUnavailable,
  type NodeClockSkewOptions,
  type NodeDownOptions,
  nodeClockSkew,
  nodeDown,
  type PodWebhookDownOptions,
  podWebhookDown,
  type QuotaUsedUpOptions,
  quotaUsedUp,
} from "./cluster-failures.ts";
export {
  closeStream,
  freezeStream,
  outputAfterStatus,
  type StreamCutOptions,
} from "./connected-streams.ts";
export { freeze, type GoAwayOptions, goAway, type ResetOptions, reset } from "./connection-faults.ts";
export { delayUntilWatched } from "./delayed-response.ts";
export type { FaultHandle } from "./fault.ts";
export { type GroupDownOptions, groupDown } from "./group-down.ts";
export {
  type LaggingReplicaOptions,
  laggingReplica,
  type StaleReadOptions,
  staleRead,
} from "./lagging-reads.ts";
export type { LoggedRequest } from "./logged-request.ts";
export { permissionRevoked, tokenExpired, unauthorizedOnce } from "./lost-rights.ts";
export {
  type DisconnectedOptions,
  type DownOptions,
  disconnected,
  down,
  whileDisconnected,
} from "./outages.ts";
export type { ContainerExit, PodLife, PodSelector } from "./pod-life.ts";
export {
  type AfterOptions,
  completes,
  crashLoop,
  type EvictedOptions,
  type ExitOptions,
  evicted,
  type ImagePullOptions,
  imagePullBackOff,
  type LifeTime,
  neverReady,
  nodeLost,
  oomKilled,
  type RunningOptions,
  running,
  type SlowTerminationOptions,
  slowTermination,
  type UnhealthyOptions,
  unhealthy,
} from "./pod-lives.ts";
export {
  type CrdNotReadyOptions,
  crdNotReady,
  etcdLeaderChange,
  namespaceTerminating,
  notReady,
  storageInitializing,
  type ThrottleOptions,
  type TooLargeOptions,
  throttle,
  tooLargeResourceVersion,
  type WebhookTimeoutOptions,
  webhookTimeout,
} from "./refusals.ts";
export type { RequestScope } from "./request-matcher.ts";
export type { FaultContext, FaultEffect, Need, Scenario } from "./scenario.ts";
export type { ScenarioOptions } from "./scenario-options.ts";
export { type SlowConsumerOptions, slowConsumer } from "./slow-consumer.ts";
export { type LatencyOptions, latency } from "./slowness.ts";
export { type StallLogOptions, stallLog } from "./stalled-log.ts";
export { type ContinueExpiredOptions, conflict, continueExpired } from "./state-failures.ts";
export { type CutOptions, pairEvents, type SliceOptions, slice, truncate } from "./stream-bytes.ts";
export { noV5, refuseUpgrade } from "./upgrade-refusals.ts";
export {
  bareStatus,
  type CloseWatchOptions,
  closeWatch,
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
