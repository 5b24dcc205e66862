import type { Clock } from "../../apimachinery/clock.ts";
import type { JsonObject } from "../../apimachinery/json.ts";

/** The algorithms with which an issuer can sign. */
export type IssuerAlgorithm =
  | "RS256"
  | "RS384"
  | "RS512"
  | "PS256"
  | "PS384"
  | "PS512"
  | "ES256"
  | "ES384"
  | "ES512";

/** What a token is like. */
export interface IssuerTokenOptions {
  /** Claims besides, or instead of, those that the issuer sets: `iss`, `sub`, `aud`, `iat` and `exp`. */
  readonly claims?: JsonObject;
  /** How long it is valid; a negative duration, such as "-1m", is an expired token. Default: that of the issuer. */
  readonly expiresIn?: string;
  /** Parts of its header besides, or instead of, `alg` and `kid`. */
  readonly header?: JsonObject;
  /** "wrong" is one by a key that the issuer does not have; "none" leaves it out. Default: "right". */
  readonly signature?: "right" | "wrong" | "none";
}

/** What a client gets for a code or a refresh token. */
export interface TokenResponse {
  readonly access_token: string;
  readonly id_token: string;
  readonly refresh_token: string;
  readonly token_type: "Bearer";
  /** In seconds. */
  readonly expires_in: number;
}

/** The completed options of an issuer. The URL and the user of the next sign-in may change. */
export interface IssuerConfig {
  readonly url: () => string;
  readonly claims: () => JsonObject;
  readonly algorithm: IssuerAlgorithm;
  readonly audience: string;
  readonly expiresIn: string;
  readonly clock: Clock;
}

/** What an issuer does once its code is loaded. */
export interface IssuerParts {
  readonly answer: (request: Request) => Promise<Response>;
  readonly token: (options: IssuerTokenOptions) => Promise<string>;
  readonly tokens: () => Promise<TokenResponse>;
  readonly rotateKeys: () => Promise<void>;
  readonly revoke: (refreshToken: string | undefined) => void;
  /** @throws {Error} for a code that no device shows */
  readonly approveDevice: (userCode: string) => void;
}
