import { textAt } from "../../apimachinery/fields.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { parseTime } from "../../apimachinery/time.ts";

/** A token with which nodes join, as a Secret of kube-system holds it. */
export interface BootstrapToken {
  readonly id: string;
  readonly secret: string;
  readonly isExpired: boolean;
  /** In milliseconds since the epoch; undefined for a token that does not expire. */
  readonly expires: number | undefined;
  /** Another field of the Secret; empty without it. */
  readonly field: (name: string) => string;
}

/** The token of a Secret; undefined for other Secrets. Upstream: cluster-bootstrap, util/secrets. */
export function bootstrapTokenOf(secret: KubeObject, now: number): BootstrapToken | undefined {
  if (textAt(secret, "type") !== "bootstrap.kubernetes.io/token") return undefined;
  const field = (name: string) => new TextDecoder().decode(bytesOf(textAt(secret, "data", name)));
  const expiration = field("expiration");
  // A time that cannot be read has passed.
  const expires = expiration === "" ? undefined : (timeOf(expiration) ?? 0);
  return {
    id: field("token-id"),
    secret: field("token-secret"),
    isExpired: expires !== undefined && expires <= now,
    expires,
    field,
  };
}

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

function timeOf(text: string): number | undefined {
  try {
    const { seconds, nanoseconds } = parseTime(text);
    return seconds * 1000 + nanoseconds / 1e6;
  } catch {
    return undefined;
  }
}
