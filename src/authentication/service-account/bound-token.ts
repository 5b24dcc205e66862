import { numberAt, objectAt, textAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { UserInfo } from "../../apimachinery/user-info.ts";
import type { AuthenticationEnvironment } from "../contract/authentication-environment.ts";
import { type AuthenticationNotes, type Rejection, rejected } from "../contract/authenticator.ts";
import type { ValidClaims } from "../contract/valid-claims.ts";
import { serviceAccountUser } from "./service-account-user.ts";

/** How long a deleted object and an expired token still count, in milliseconds. Go's library: `jwt.DefaultLeeway`. */
const leeway = 60_000;

const credentialId = "authentication.kubernetes.io/credential-id";

/**
 * The user of the claims of a token from a TokenRequest, as long as the account and what the token is bound to exist.
 * Upstream: pkg/serviceaccount/claims.go.
 */
export function boundTokenUser(
  environment: AuthenticationEnvironment,
): (token: string, claims: JsonObject) => ValidClaims | Rejection {
  return (_token, claims) => {
    const problem = timeProblem(claims, environment.clock.now()) ?? objectProblem(claims, environment);
    if (problem !== undefined) return rejected(problem);
    return { user: userOf(claims, environment), notes: staleNotes(claims, environment) };
  };
}

/** A token that lives for longer than it was requested for is stale when its requested time is over. */
function staleNotes(
  claims: JsonObject,
  { clock, metrics }: AuthenticationEnvironment,
): AuthenticationNotes | undefined {
  const warnAfter = numberAt(claims, "kubernetes.io", "warnafter");
  if (warnAfter === 0) return undefined;
  const now = clock.now();
  const isStale = now > warnAfter * 1000;
  metrics.countServiceAccountToken(isStale ? "stale_tokens_total" : "valid_tokens_total");
  if (!isStale) return undefined;
  const late = Math.floor(now / 1000) - warnAfter;
  const told = `subject: ${textAt(claims, "sub")}, seconds after warning threshold: ${late}`;
  return { annotations: { "authentication.k8s.io/stale-token": told }, warnings: [] };
}

/** Times of a token are seconds; missing ones are not checked. */
function timeProblem(claims: JsonObject, now: number): string | undefined {
  const at = (name: string) => (claims[name] === undefined ? undefined : numberAt(claims, name) * 1000);
  const [notBefore, expires, issued] = [at("nbf"), at("exp"), at("iat")];
  if (notBefore !== undefined && now + leeway < notBefore) return "service account token is not valid yet";
  if (expires !== undefined && now - leeway > expires) return "service account token has expired";
  if (issued !== undefined && now + leeway < issued) return "service account token is issued in the future";
  return undefined;
}

interface Reference {
  readonly name: string;
  readonly uid: string;
}

function referenceAt(claims: JsonObject, field: string): Reference | undefined {
  const reference = objectAt(claims, "kubernetes.io", field);
  return reference && { name: textAt(reference, "name"), uid: textAt(reference, "uid") };
}

/** Why the account, or an object that the token is bound to, does not count any more. */
function objectProblem(claims: JsonObject, environment: AuthenticationEnvironment): string | undefined {
  const { lister, gates, clock } = environment;
  const namespace = textAt(claims, "kubernetes.io", "namespace");
  const { name, uid } = referenceAt(claims, "serviceaccount") ?? { name: "", uid: "" };
  const account = lister.get({ group: "", resource: "serviceaccounts" }, namespace, name);
  if (account === undefined) return `serviceaccounts ${JSON.stringify(name)} not found`;
  if (isGone(account, clock.now())) return `service account ${namespace}/${name} has been deleted`;
  if (account.metadata.uid !== uid) {
    return `service account UID (${account.metadata.uid}) does not match claim (${uid})`;
  }
  const node = referenceAt(claims, "node");
  const pod = referenceAt(claims, "pod");
  const bound: readonly Bound[] = [
    { kind: "secret", resource: "secrets", namespace, reference: referenceAt(claims, "secret") },
    { kind: "pod", resource: "pods", namespace, reference: pod },
    // The node of a pod is only information: the pod goes with it.
    { kind: "node", resource: "nodes", namespace: "", reference: pod === undefined ? node : undefined },
  ];
  for (const each of bound) {
    const gate = "ServiceAccountTokenNodeBindingValidation";
    if (each.kind === "node" && each.reference !== undefined && !gates.isEnabled(gate)) {
      return `token is bound to a Node object but the ${gate} feature gate is disabled`;
    }
    const problem = boundProblem(each, environment);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** An object that a token may be bound to. */
interface Bound {
  readonly kind: string;
  readonly resource: string;
  readonly namespace: string;
  readonly reference: Reference | undefined;
}

function boundProblem(
  { kind, resource, namespace, reference }: Bound,
  { lister, clock }: AuthenticationEnvironment,
): string | undefined {
  if (reference === undefined) return undefined;
  const found = lister.get({ group: "", resource }, namespace, reference.name);
  if (found === undefined || isGone(found, clock.now())) return "service account token has been invalidated";
  if (found.metadata.uid === reference.uid) return undefined;
  return `${kind} UID (${found.metadata.uid}) does not match service account ${kind} ref claim (${reference.uid})`;
}

/** Whether an object was deleted a while ago; finalizers or a grace period may keep it. */
function isGone({ metadata: { deletionTimestamp } }: KubeObject, now: number): boolean {
  return !!deletionTimestamp && Date.parse(deletionTimestamp) < now - leeway;
}

function userOf(claims: JsonObject, { gates }: AuthenticationEnvironment): UserInfo {
  const namespace = textAt(claims, "kubernetes.io", "namespace");
  const account = referenceAt(claims, "serviceaccount");
  const [pod, node] = [referenceAt(claims, "pod"), referenceAt(claims, "node")];
  const id = textAt(claims, "jti");
  const hasNode = pod === undefined || gates.isEnabled("ServiceAccountTokenPodNodeInfo");
  const extra: Record<string, readonly string[]> = {};
  const add = (name: string, value: string) => {
    if (value !== "") extra[`authentication.kubernetes.io/${name}`] = [value];
  };
  if (id !== "" && gates.isEnabled("ServiceAccountTokenJTI")) extra[credentialId] = [`JTI=${id}`];
  if (node !== undefined && hasNode) {
    add("node-name", node.name);
    add("node-uid", node.uid);
  }
  if (pod !== undefined) {
    add("pod-name", pod.name);
    add("pod-uid", pod.uid);
  }
  return serviceAccountUser(namespace, account?.name ?? "", account?.uid ?? "", extra);
}
