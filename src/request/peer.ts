/**
 * A client certificate that the TLS layer has received. The client has its key. Nothing else is verified: an authenticator
 * does that, by the clock of the cluster.
 */
export interface PeerCertificate {
  /** DER bytes of the leaf. */
  readonly raw: Uint8Array;
  /** DER bytes of the other certificates that the client sent, in their order. */
  readonly intermediates: readonly Uint8Array[];
}

/** What the transport knows about the client's end of the connection. */
export interface Peer {
  /**
   * Whether the client is in the same process, or reached a port. What the process may do depends on it, so it is never derived
   * from an address, which a client can make disappear.
   */
  readonly origin: "process" | "port";
  /** An IP address; empty in process, or if the client has already left. */
  readonly remoteAddress: string;
  /** The same object for all requests of a connection. */
  readonly certificate: PeerCertificate | undefined;
}

/** The peer of requests that come from the same process. */
export const inProcessPeer: Peer = { origin: "process", remoteAddress: "", certificate: undefined };
