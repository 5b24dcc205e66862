import type { JsonObject } from "../apimachinery/json.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import { es256Signer, type JwtSigner, newEs256Keys } from "./jwt-signer.ts";

/** Who makes the tokens of service accounts, and by which rules: kube-apiserver's `--service-account-*` flags. */
export interface ServiceAccountIssuer {
  /** `--service-account-issuer`: the claim `iss`. */
  readonly issuer: string;
  /** `--api-audiences`: whom a token is for that does not say. */
  readonly audiences: readonly string[];
  /** `--service-account-max-token-expiration`, in seconds; 0 for no limit. */
  readonly maxExpirationSeconds: number;
  /** `--service-account-extend-token-expiration`: the tokens that pods have mounted live longer than they say. */
  readonly extendsExpiration: boolean;
  readonly sign: JwtSigner;
}

const defaultIssuer = "https://kubernetes.default.svc.cluster.local";

/** The issuer of a cluster that was told nothing about it, with a key of its own. */
export function defaultServiceAccountIssuer(): ServiceAccountIssuer {
  return {
    issuer: defaultIssuer,
    audiences: [defaultIssuer],
    maxExpirationSeconds: 0,
    extendsExpiration: true,
    sign: es256Signer(newEs256Keys),
  };
}

/** What a token is valid with, and no longer than; a node alone, or the one that the pod runs on. */
export interface BoundObjects {
  readonly pod?: KubeObject;
  readonly secret?: KubeObject;
  readonly node?: Reference;
}

/** An object in a claim; the uid is missing if nobody knows it. */
export interface Reference {
  readonly name: string;
  readonly uid?: string;
}

/** How long a token lives, in seconds. */
export interface TokenLife {
  readonly expirationSeconds: number;
  /** After how long its use is worth a remark; 0 if it never is. */
  readonly warnAfterSeconds: number;
}

/** The claims of a service account's token, in the order of the alphabet, which is how upstream writes them. */
export function serviceAccountClaims(
  account: KubeObject,
  bound: BoundObjects,
  { expirationSeconds, warnAfterSeconds }: TokenLife,
  token: {
    readonly issuer: string;
    readonly audiences: readonly string[];
    readonly id: string;
    readonly now: number;
  },
): JsonObject {
  const now = Math.floor(token.now / 1000);
  const { namespace = "", name = "" } = account.metadata;
  const { pod, secret, node } = bound;
  return {
    aud: token.audiences,
    exp: now + expirationSeconds,
    iat: now,
    iss: token.issuer,
    jti: token.id,
    "kubernetes.io": {
      namespace,
      ...(node !== undefined && { node: { ...node } }),
      ...(pod !== undefined && { pod: referenceTo(pod) }),
      ...(secret !== undefined && { secret: referenceTo(secret) }),
      serviceaccount: referenceTo(account),
      ...(warnAfterSeconds !== 0 && { warnafter: now + warnAfterSeconds }),
    },
    nbf: now,
    sub: `system:serviceaccount:${namespace}:${name}`,
  };
}

/** An object as a claim names it. */
export function referenceTo({ metadata }: KubeObject): Reference & JsonObject {
  const { name = "", uid = "" } = metadata;
  return { name, uid };
}
