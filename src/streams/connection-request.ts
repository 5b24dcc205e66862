import type { ApiRequest } from "../request/handler.ts";

/** What the answers of pods read of a request. */
export type ConnectionRequest = Pick<ApiRequest, "headers" | "connection" | "signal">;
