import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";

/** The objects that a token is bound to. The node is either the only bound object or the node of the pod. */
export interface BoundObjects {
  readonly pod?: KubeObject;
  readonly secret?: KubeObject;
  readonly node?: Reference;
}

/** An object in a claim; the uid is absent if it is not known. */
export interface Reference {
  readonly name: string;
  readonly uid?: string;
}

/** The lifetime of a token, in seconds. */
export interface TokenLife {
  readonly expirationSeconds: number;
  /** The age from which its use is annotated in the audit log; 0 for never. */
  readonly warnAfterSeconds: number;
}

/** The claims of a service account token, with sorted keys as upstream writes them. */
export function serviceAccountClaims(
  account: KubeObject,
  bound: BoundObjects,
  { expirationSeconds, warnAfterSeconds }: TokenLife,
  token: {
    readonly issuer: string;
    readonly audiences: readonly string[];
    /** Empty for none. */
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
    ...(token.id !== "" && { jti: token.id }),
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

/** The reference to an object in a claim. */
export function referenceTo({ metadata }: KubeObject): Reference & JsonObject {
  const { name = "", uid = "" } = metadata;
  return { name, uid };
}
