import type { ApiResponse } from "../request/handler.ts";

/** The whole answer to a malformed path: Go's server refuses it before any handler of kube-apiserver runs. */
export const malformedTarget: ApiResponse = {
  status: 400,
  headers: [
    ["Content-Type", "text/plain; charset=utf-8"],
    ["Connection", "close"],
  ],
  body: new TextEncoder().encode("400 Bad Request"),
};
