import type { JsonObject } from "../../apimachinery/json.ts";

/** The keys of service account tokens. They are loaded, or generated, when the first token needs them. */
export interface ServiceAccountKeys {
  /** Signs claims and returns a JSON Web Token in compact form. */
  readonly sign: (claims: JsonObject) => Promise<string>;
  /**
   * Verifies the signature of a token and returns its claims. @throws {TokenSignatureError} with upstream's message;
   * undefined if it is not a signed token at all
   */
  readonly verify: (token: string) => Promise<JsonObject | undefined>;
  /** The public keys as a JSON Web Key Set, in the order of the options. */
  readonly publicKeys: () => Promise<readonly JsonObject[]>;
}

/** The signature of a token is wrong, or none of the keys can have made it. */
export class TokenSignatureError extends Error {
  override readonly name = "TokenSignatureError";
}
