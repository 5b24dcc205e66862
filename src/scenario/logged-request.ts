/** What came, from whom, and what was answered. */
export interface LoggedRequest {
  readonly method: string;
  /** Path and query, as sent. */
  readonly target: string;
  /** The path, decoded. */
  readonly path: string;
  /** The verb of RBAC; for a path that names no resource, the method in lower case. */
  readonly verb: string;
  /** Empty, as all that follow, where the path names none. */
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** Empty while nobody has found out who it is. */
  readonly user: string;
  readonly userAgent: string;
  readonly auditId: string;
  /** By the clock of the cluster, in milliseconds since the epoch. */
  readonly receivedAt: number;
  /** The status that was answered; undefined until then. */
  readonly status: number | undefined;
  /** How long the answer's head took, in milliseconds of the cluster's clock; undefined until then. */
  readonly milliseconds: number | undefined;
}

/** An entry that is still being written. */
export type OpenEntry = { -readonly [field in keyof LoggedRequest]: LoggedRequest[field] };
