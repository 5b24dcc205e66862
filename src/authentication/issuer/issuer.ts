import { type Clock, RunningClock } from "../../apimachinery/clock.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import { checkOptions, type OptionType, type OptionTypes } from "../../apimachinery/option-checks.ts";
import { oneOf, text } from "../../apimachinery/option-types.ts";
import type { IssuerAlgorithm, IssuerParts, IssuerTokenOptions, TokenResponse } from "./issuer-types.ts";

/** The options of an issuer. All are optional. */
export interface IssuerOptions {
  /** The URL of the issuer, which is the claim `iss`. Default: "https://issuer.test". */
  readonly url?: string;
  /** How it signs. Default: "RS256". */
  readonly algorithm?: IssuerAlgorithm;
  /** The claims of a user after a sign-in, such as `{ sub: "alice", groups: ["dev"] }`. Default: `{ sub: "alice" }`. */
  readonly claims?: JsonObject;
  /** The audience of tokens that no client requests. Default: "kubernetes". */
  readonly audience?: string;
  /** How long ID tokens are valid, such as "5m". Default: "1h". */
  readonly expiresIn?: string;
  /** The clock by which tokens expire. Give a cluster the same one. Default: a clock that follows real time. */
  readonly clock?: Clock;
}

const object: OptionType = {
  accepts: "an object",
  isValid: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
};

const optionTypes: OptionTypes = {
  url: {
    accepts: "a URL that begins with https://",
    isValid: (value) => typeof value === "string" && value.startsWith("https://") && URL.canParse(value),
  },
  algorithm: oneOf("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512"),
  claims: object,
  audience: text,
  expiresIn: text,
  clock: object,
};

const tokenOptionTypes: OptionTypes = {
  claims: object,
  expiresIn: text,
  header: object,
  signature: oneOf("right", "wrong", "none"),
};

/** An issuer of OpenID Connect, for tests. */
export class Issuer {
  readonly #options: Required<Omit<IssuerOptions, "url" | "claims">>;
  #url: string;
  #claims: JsonObject;
  #parts: Promise<IssuerParts> | undefined;

  /** Use `createIssuer`. */
  constructor(options: IssuerOptions) {
    const { url = "https://issuer.test", claims = { sub: "alice" }, algorithm = "RS256" } = options;
    const { audience = "kubernetes", expiresIn = "1h", clock = new RunningClock() } = options;
    this.#url = url;
    this.#claims = claims;
    this.#options = { algorithm, audience, expiresIn, clock };
  }

  /** The URL of the issuer: `oidcIssuerUrl` of a cluster. */
  get url(): string {
    return this.#url;
  }

  /**
   * Answers requests to the issuer as the web's fetch would: `oidcFetch` of a cluster. It serves the discovery document, the
   * keys, and the endpoints for authorization, tokens and devices.
   */
  readonly fetch = async (
    input: string | URL | Request,
    init?: {
      readonly method?: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
    },
  ): Promise<Response> => {
    const { method, headers, body } = init ?? {};
    const request = new Request(input, {
      ...(method !== undefined && { method }),
      ...(headers !== undefined && { headers }),
      ...(body !== undefined && { body }),
    });
    return (await this.#loaded()).answer(request);
  };

  /** An ID token: `issuer.token({ claims: { sub: "alice", groups: ["dev"] } })`. */
  async token(options: IssuerTokenOptions = {}): Promise<string> {
    checkOptions("token", options, tokenOptionTypes);
    return (await this.#loaded()).token(options);
  }

  /** What a client gets after a sign-in: an ID token, an access token and a refresh token. */
  async tokens(): Promise<TokenResponse> {
    return (await this.#loaded()).tokens();
  }

  /** Sets the claims for the next sign-ins. */
  signIn(claims: JsonObject): void {
    this.#claims = claims;
  }

  /** Replaces the key. Tokens by the old one are not valid any more, once a server has fetched the keys again. */
  async rotateKeys(): Promise<void> {
    await (await this.#loaded()).rotateKeys();
  }

  /** Makes a refresh token, or all of them, invalid. */
  async revoke(refreshToken?: string): Promise<void> {
    (await this.#loaded()).revoke(refreshToken);
  }

  /**
   * Lets the user sign in on a device that shows this code, as the page at its address does.
   * @throws {Error} for a code that no device shows
   */
  async approveDevice(userCode: string): Promise<void> {
    (await this.#loaded()).approveDevice(userCode);
  }

  /** Changes the URL. `serveIssuer` of `kubedouble/node` calls it with that of its port. */
  moveTo(url: string): void {
    this.#url = url;
  }

  /** The code that signs is loaded when it is first needed. */
  #loaded(): Promise<IssuerParts> {
    this.#parts ??= import("./issuer-parts.ts").then(({ issuerParts }) =>
      issuerParts({ ...this.#options, url: () => this.#url, claims: () => this.#claims }),
    );
    return this.#parts;
  }
}

/**
 * Creates an issuer of OpenID Connect, for tests: `createCluster({ oidcIssuerUrl: issuer.url, oidcClientId: "kubernetes",
 * oidcFetch: issuer.fetch })` trusts it.
 * @throws {TypeError} for options that it does not have
 */
export function createIssuer(options: IssuerOptions = {}): Issuer {
  checkOptions("createIssuer", options, optionTypes);
  return new Issuer(options);
}
