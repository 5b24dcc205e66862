/** A client certificate that the TLS layer has received. */
export interface PeerCertificate {
  /** DER bytes of the leaf. */
  readonly raw: Uint8Array;
  /** Whether the TLS layer verified the chain against the configured client CA. */
  readonly authorized: boolean;
}

/** What the transport knows about the client's end of the connection. */
export interface Peer {
  /** An IP address, or the empty string in process. */
  readonly remoteAddress: string;
  readonly certificate: PeerCertificate | undefined;
}

/** The peer of requests that come from the same process. */
export const inProcessPeer: Peer = { remoteAddress: "", certificate: undefined };
