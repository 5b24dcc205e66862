import type { ApiResponse } from "../request/handler.ts";

/** A plain text answer as Go's `http.Error` writes it. */
export function plainAnswer(status: number, text: string): ApiResponse {
  const headers: ApiResponse["headers"] = [
    ["Content-Type", "text/plain; charset=utf-8"],
    ["X-Content-Type-Options", "nosniff"],
  ];
  return { status, headers, body: new TextEncoder().encode(text) };
}

/** Matches a path and everything below it. */
export function pathsBelow(path: string): RegExp {
  return new RegExp(`^${escaped(path)}(/|$)`);
}

/** Text escaped for a regular expression. */
export function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
