import { isNotFound } from "../../../apimachinery/errors/error-predicates.ts";
import { badRequest, conflict, invalid } from "../../../apimachinery/errors/errors.ts";
import { fieldCauses, fieldInvalid } from "../../../apimachinery/errors/field.ts";
import { integerAt, numberAt, objectAt, structAt, textAt, textsAt } from "../../../apimachinery/fields.ts";
import { goQuote } from "../../../apimachinery/go/go-quote.ts";
import { formatGroupVersionKind, parseGroupVersion } from "../../../apimachinery/group-version.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject, MutableKubeObject } from "../../../apimachinery/object-meta.ts";
import { formatTime } from "../../../apimachinery/time.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import type { AuthenticationConfig } from "../../../authentication/contract/authentication-config.ts";
import {
  type BoundObjects,
  type Reference,
  referenceTo,
  serviceAccountClaims,
  type TokenLife,
} from "../../../authentication/service-account/service-account-claims.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { transient } from "../../../codec/encodable.ts";
import type { ObjectKey } from "../../../registry/contract/object-key.ts";
import type { ResourceAccess } from "../../../registry/contract/resource-access.ts";
import type { Answer, CreateOptions, ResourceDefinition } from "../../../registry/contract/rest.ts";
import type { StoredResource } from "../../../registry/contract/stored-resource.ts";
import { getObject } from "../../../registry/generic/get.ts";
import { internalTypes } from "../../../schema/internal-types.ts";

const shortest = 10 * 60;
const longest = 2 ** 32;

/**
 * The lifetime that kubelets request for tokens of pods, by which the server recognizes such requests. Upstream:
 * `WarnOnlyBoundTokenExpirationSeconds`.
 */
const podTokenSeconds = 60 * 60 + 7;
/**
 * The lifetime of tokens of pods if expiration is extended, for pods that do not reload their token. Upstream:
 * `ExpirationExtensionSeconds`.
 */
const extendedSeconds = 24 * 365 * 60 * 60;

/** What a request for a token needs. */
export interface TokenServer {
  readonly accounts: StoredResource;
  readonly definition: ResourceDefinition;
  readonly access: ResourceAccess;
  readonly authentication: AuthenticationConfig;
  readonly gates: FeatureGates;
}

/**
 * Upstream: pkg/registry/core/serviceaccount/storage/token.go, TokenREST.Create.
 * @throws {StatusError} notFound, invalid, badRequest, conflict, or the error of admission
 */
export async function createToken(
  server: TokenServer,
  key: ObjectKey,
  request: MutableKubeObject,
  options: CreateOptions,
): Promise<Answer> {
  const { accounts, definition, authentication } = server;
  checkName(server, key, request);
  const account = getObject(accounts, key).value;
  complete(request, key, authentication, options.now);
  const errors: Findings = [];
  addLifeErrors(errors, request);
  if (errors.length > 0) {
    throw invalid(
      definition.gvk,
      "",
      fieldCauses(errors, server.gates.since, internalTypes(server.gates.since, definition.gvk)),
    );
  }
  await options.validateAdmission(request);
  const bound = boundObjects(server, key, objectAt(request, "spec", "boundObjectRef"));
  shorten(request, authentication, options);
  const claims = serviceAccountClaims(account, bound, lifeOf(request, bound, authentication), {
    issuer: authentication.serviceAccounts.issuers[0] ?? "",
    audiences: textsAt(request, "spec", "audiences"),
    id: server.gates.isEnabled("ServiceAccountTokenJTI") ? accounts.identifiers.uid() : "",
    now: options.now,
  });
  const token = await authentication.serviceAccountKeys.sign(claims);
  const expires = options.now + numberAt(request, "spec", "expirationSeconds") * 1000;
  request["status"] = { token, expirationTimestamp: formatTime(expires) };
  return { object: transient(definition.schema.canonicalize(request)) };
}

function checkName({ definition }: TokenServer, { name }: ObjectKey, { metadata }: KubeObject): void {
  if (!metadata.name || metadata.name === name) return;
  const detail = "must match the service account name if specified";
  throw invalid(definition.gvk, name, [fieldInvalid("metadata.name", metadata.name, detail)]);
}

/** Sets the defaults of the request, and the fields that a client cannot set. */
function complete(
  request: MutableKubeObject,
  { namespace, name }: ObjectKey,
  { apiAudiences: audiences }: AuthenticationConfig,
  now: number,
): void {
  const { metadata } = request;
  metadata.name = name;
  metadata.namespace = namespace;
  metadata.creationTimestamp = formatTime(now);
  const namesAudiences = textsAt(request, "spec", "audiences").length > 0;
  if (!namesAudiences) request["spec"] = { ...structAt(request, "spec"), audiences };
  request["status"] = {};
}

function addLifeErrors(errors: Findings, request: KubeObject): void {
  const field = "spec.expirationSeconds";
  const seconds = integerAt(request, "spec", "expirationSeconds");
  if (seconds < shortest) {
    errors.push(fieldInvalid(field, seconds, "may not specify a duration less than 10 minutes"));
    return;
  }
  if (seconds <= longest) return;
  errors.push(fieldInvalid(field, seconds, "may not specify a duration larger than 2^32 seconds"));
}

function boundObjects(
  server: TokenServer,
  { namespace, name: account }: ObjectKey,
  reference: JsonObject | undefined,
): BoundObjects {
  if (reference === undefined) return {};
  const kind = textAt(reference, "kind");
  const name = textAt(reference, "name");
  const gv = parseGroupVersion(textAt(reference, "apiVersion")) ?? { group: "", version: "" };
  const known = gv.group === "" ? kind : "";
  switch (known) {
    case "Pod": {
      const pod = live(server, "pods", { namespace, name });
      if (textAt(pod, "spec", "serviceAccountName") !== account) throw otherAccount(account);
      const hasNode = server.gates.isEnabled("ServiceAccountTokenPodNodeInfo");
      const node = hasNode ? nodeOf(server, pod) : undefined;
      checkUid(reference, pod, kind);
      return { pod, ...(node !== undefined && { node }) };
    }
    case "Node": {
      if (!server.gates.isEnabled("ServiceAccountTokenNodeBinding")) throw nodeBindingDisabled();
      const node = live(server, "nodes", { namespace: "", name });
      checkUid(reference, node, kind);
      return { node: referenceTo(node) };
    }
    case "Secret": {
      const secret = live(server, "secrets", { namespace, name });
      checkUid(reference, secret, kind);
      return { secret };
    }
    default:
      throw badRequest(`cannot bind token to object of type ${formatGroupVersionKind({ ...gv, kind })}`);
  }
}

/** @throws {StatusError} notFound */
function live({ access }: TokenServer, resource: string, key: ObjectKey): KubeObject {
  const stored = access.stored({ group: "", resource });
  // The core group is always served.
  if (stored === undefined) throw new Error(`the server does not have ${resource}`);
  return getObject(stored, key).value;
}

/** The node of a pod; of a deleted node only the name. */
function nodeOf(server: TokenServer, pod: KubeObject): Reference | undefined {
  const name = textAt(pod, "spec", "nodeName");
  if (name === "") return undefined;
  try {
    return referenceTo(live(server, "nodes", { namespace: "", name }));
  } catch (error) {
    if (isNotFound(error)) return { name };
    throw error;
  }
}

/** @throws {StatusError} conflict that names the kind instead of the resource */
function checkUid(reference: JsonObject, { metadata }: KubeObject, kind: string): void {
  const uid = textAt(reference, "uid");
  if (uid === "" || uid === metadata.uid) return;
  const text = `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`;
  throw conflict({ group: "", resource: kind }, metadata.name ?? "", text);
}

function otherAccount(account: string): Error {
  const name = goQuote(account);
  return badRequest(
    `cannot bind token for serviceaccount ${name} to pod running with different serviceaccount name.`,
  );
}

function nodeBindingDisabled(): Error {
  const gate = goQuote("ServiceAccountTokenNodeBinding");
  return badRequest(`cannot bind token to a Node object as the ${gate} feature-gate is disabled`);
}

/** Reduces an expiration above the server's maximum, with a warning. */
function shorten(
  request: MutableKubeObject,
  { serviceAccounts: { maxExpirationSeconds: most } }: AuthenticationConfig,
  { warn }: CreateOptions,
): void {
  const wanted = numberAt(request, "spec", "expirationSeconds");
  if (most === 0 || wanted <= most) return;
  warn(`requested expiration of ${wanted} seconds shortened to ${most} seconds`);
  request["spec"] = { ...structAt(request, "spec"), expirationSeconds: most };
}

function lifeOf(
  request: KubeObject,
  { pod }: BoundObjects,
  { apiAudiences, serviceAccounts }: AuthenticationConfig,
): TokenLife {
  const expirationSeconds = numberAt(request, "spec", "expirationSeconds");
  const isForApi = textsAt(request, "spec", "audiences").every((name) => apiAudiences.includes(name));
  const isOfPod = pod !== undefined && expirationSeconds === podTokenSeconds && isForApi;
  if (!serviceAccounts.extendsExpiration || !isOfPod) return { expirationSeconds, warnAfterSeconds: 0 };
  return { expirationSeconds: extendedSeconds, warnAfterSeconds: expirationSeconds };
}
