/** How long a port waits for its clients, and how much of them it serves at a time. */
export interface PortLimits {
  /** How long a TLS handshake and the head of a request may take, in milliseconds. */
  readonly headMilliseconds: number;
  /** How long a body may take to arrive, and an answer to be taken, in milliseconds. Streams may take any time. */
  readonly requestMilliseconds: number;
  /** How long a connection may stay open without a request, in milliseconds. */
  readonly idleMilliseconds: number;
  /** How many streams a client may open on one HTTP/2 connection. */
  readonly maxStreams: number;
}

/** Upstream: apiserver, pkg/server/secure_serving.go, and `--request-timeout`. */
export const kubeApiserverLimits: PortLimits = {
  headMilliseconds: 32_000,
  requestMilliseconds: 60_000,
  idleMilliseconds: 90_000,
  maxStreams: 100,
};
