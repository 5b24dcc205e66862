/** What a line about a request shows. */
export interface ShownRequest {
  /** RFC 3339. */
  readonly receivedAt: string;
  readonly method: string;
  readonly target: string;
  /** Empty without authentication. */
  readonly user: string;
  /** 0 without a response. */
  readonly status: number;
  readonly milliseconds: number;
  /** The failure that struck it, or the empty string. */
  readonly fault: string;
}

/** A request in one line: `2026-01-01T00:00:00.000Z 409 PUT /api/v1/... user=kubernetes-admin 3ms fault=conflict`. */
export function requestLine(request: ShownRequest): string {
  const { receivedAt, method, target, user, status, milliseconds, fault } = request;
  const outcome = status === 0 ? "---" : String(status);
  const parts = [
    receivedAt.replace(/(\.\d{3})\d*Z$/, "$1Z"),
    outcome,
    method,
    target,
    `user=${user === "" ? "-" : user}`,
    ...(status === 0 ? [] : [`${Math.round(milliseconds)}ms`]),
    ...(fault === "" ? [] : [`fault=${fault}`]),
  ];
  return parts.join(" ");
}
