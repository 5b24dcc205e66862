/** How a request to an issuer is sent. */
export interface IssuerRequest {
  readonly method: "GET";
  readonly headers: Readonly<Record<string, string>>;
  /** Aborts when the answer takes too long. */
  readonly signal: AbortSignal;
  /** PEM of the authorities that certify the issuer; absent for those of the host. */
  readonly certificateAuthority?: string;
}

/** Fetches the discovery document or the keys of an issuer. The `fetch` of `createIssuer` is one. */
export type IssuerFetch = (url: string, request: IssuerRequest) => Promise<Response>;
