import type { Clock } from "../../apimachinery/clock.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import { encodeBase64Url } from "../../codec/base64-url.ts";

/** The user of a sign-in, and the client that requested it. */
export interface Grant {
  readonly claims: JsonObject;
  readonly audience: string;
}

/** What a client must prove when it exchanges a code. */
export interface CodeGrant extends Grant {
  readonly redirectUri: string;
  /** The challenge of PKCE; undefined if the client sent none. */
  readonly challenge: { readonly method: "S256" | "plain"; readonly value: string } | undefined;
}

/** A device that waits until its user signs in. */
export interface Device {
  readonly deviceCode: string;
  readonly userCode: string;
}

interface WaitingDevice extends Device {
  readonly audience: string;
  readonly expires: number;
  claims: JsonObject | undefined;
}

/** How many codes, devices and refresh tokens are kept, of each kind; the oldest go first. */
const capacity = 1000;

/** How long codes and devices wait, in milliseconds. */
export const codeMilliseconds: number = 10 * 60 * 1000;

/** What the issuer has granted. */
export class Grants {
  readonly #clock: Clock;
  readonly #codes = new Map<string, CodeGrant & { readonly expires: number }>();
  readonly #refreshTokens = new Map<string, Grant>();
  readonly #devices = new Map<string, WaitingDevice>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A random text. */
  opaque(): string {
    return encodeBase64Url(crypto.getRandomValues(new Uint8Array(24)));
  }

  code(grant: CodeGrant): string {
    const code = this.opaque();
    add(this.#codes, code, { ...grant, expires: this.#clock.now() + codeMilliseconds });
    return code;
  }

  /** The grant of a code, which counts once; undefined for an unknown or expired one. */
  redeem(code: string): CodeGrant | undefined {
    const grant = this.#codes.get(code);
    this.#codes.delete(code);
    return grant !== undefined && this.#clock.now() < grant.expires ? grant : undefined;
  }

  refreshToken(grant: Grant): string {
    const token = this.opaque();
    add(this.#refreshTokens, token, grant);
    return token;
  }

  ofRefreshToken(token: string): Grant | undefined {
    return this.#refreshTokens.get(token);
  }

  /** Revokes a refresh token, or all of them. */
  revoke(token: string | undefined): void {
    if (token === undefined) this.#refreshTokens.clear();
    else this.#refreshTokens.delete(token);
  }

  device(audience: string): Device {
    const deviceCode = this.opaque();
    const letters = Array.from(
      crypto.getRandomValues(new Uint8Array(8)),
      (byte) => "BCDFGHJKLMNPQRSTVWXZ"[byte % 20],
    );
    const userCode = `${letters.slice(0, 4).join("")}-${letters.slice(4).join("")}`;
    const expires = this.#clock.now() + codeMilliseconds;
    add(this.#devices, deviceCode, { deviceCode, userCode, audience, expires, claims: undefined });
    return { deviceCode, userCode };
  }

  /** Whether a device shows this code. */
  approveDevice(userCode: string, claims: JsonObject): boolean {
    for (const device of this.#devices.values()) {
      if (device.userCode !== userCode || this.#clock.now() >= device.expires) continue;
      device.claims = claims;
      return true;
    }
    return false;
  }

  /** The grant of a device, which counts once; otherwise the error of RFC 8628. */
  ofDevice(deviceCode: string): Grant | "authorization_pending" | "expired_token" | "invalid_grant" {
    const device = this.#devices.get(deviceCode);
    if (device === undefined) return "invalid_grant";
    if (this.#clock.now() >= device.expires) return "expired_token";
    const { claims, audience } = device;
    if (claims === undefined) return "authorization_pending";
    this.#devices.delete(deviceCode);
    return { claims, audience };
  }
}

function add<T>(map: Map<string, T>, key: string, value: T): void {
  const [oldest] = map.keys();
  if (map.size >= capacity && oldest !== undefined) map.delete(oldest);
  map.set(key, value);
}
