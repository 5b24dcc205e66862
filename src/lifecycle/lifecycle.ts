export type { Timeline, TimelineOptions, VersionByRelease, VersionLife } from "./api-timeline.ts";
export { type ApiOptions, createApi, type DeclaredApi } from "./declared-api.ts";
