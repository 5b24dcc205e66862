import { parseDurationMilliseconds } from "../../apimachinery/duration.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import { Grants } from "./grants.ts";
import { issuerEndpoints } from "./issuer-endpoints.ts";
import type { IssuerConfig, IssuerParts, IssuerTokenOptions, TokenResponse } from "./issuer-types.ts";
import { newSigningKey, type SigningKey, signedToken } from "./signing-keys.ts";

/** Generates the first key and makes the parts. */
export async function issuerParts(config: IssuerConfig): Promise<IssuerParts> {
  const { clock, algorithm } = config;
  const grants = new Grants(clock);
  let key = await newSigningKey(algorithm);
  const token = (options: IssuerTokenOptions): Promise<string> => signed(config, key, options);
  const tokensFor = async (claims: JsonObject, audience: string): Promise<TokenResponse> => ({
    access_token: grants.opaque(),
    id_token: await token({ claims: { ...claims, aud: claims["aud"] ?? audience } }),
    refresh_token: grants.refreshToken({ claims, audience }),
    token_type: "Bearer",
    expires_in: Math.floor(parseDurationMilliseconds(config.expiresIn) / 1000),
  });
  return {
    answer: issuerEndpoints({ config, grants, keys: () => [key.publicKey], tokensFor }),
    token,
    tokens: () => tokensFor(config.claims(), config.audience),
    rotateKeys: async () => {
      key = await newSigningKey(algorithm);
    },
    revoke: (refreshToken) => grants.revoke(refreshToken),
    approveDevice: (userCode) => {
      if (!grants.approveDevice(userCode, config.claims())) {
        throw new Error(`approveDevice: no device shows the code ${JSON.stringify(userCode)}`);
      }
    },
  };
}

async function signed(
  { url, audience, algorithm, clock, expiresIn: usualLife }: IssuerConfig,
  key: SigningKey,
  { claims = {}, header = {}, expiresIn = usualLife, signature = "right" }: IssuerTokenOptions,
): Promise<string> {
  const now = Math.floor(clock.now() / 1000);
  const life = Math.floor(parseDurationMilliseconds(expiresIn) / 1000);
  const all = { iss: url(), sub: "alice", aud: audience, iat: now, exp: now + life, ...claims };
  const signer = signature === "wrong" ? await newSigningKey(algorithm) : key;
  // The wrong signature names the right key.
  return signedToken(signer, { alg: algorithm, kid: key.id, ...header }, all, signature);
}
