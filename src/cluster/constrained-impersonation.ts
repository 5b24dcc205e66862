import { badRequest } from "../apimachinery/errors/errors.ts";
import { aggregateMessage, fieldCauses } from "../apimachinery/errors/field.ts";
import { goQuote } from "../apimachinery/go/go-quote.ts";
import { noGoTypes } from "../apimachinery/go/go-shape.ts";
import type { Since } from "../apimachinery/release.ts";
import type { UserInfo } from "../apimachinery/user-info.ts";
import { addDomainPrefixedPathErrors } from "../apimachinery/validation/domain-prefixed-path.ts";
import { collectErrors } from "../apimachinery/validation/findings.ts";
import { dnsSubdomainMessages } from "../apimachinery/validation/names.ts";
import { effectiveGroups, extraOf, type WantedUser } from "../authentication/impersonation.ts";
import { serviceAccountOf } from "../authentication/service-account/service-account-user.ts";
import type { Authorizer } from "../authorization/contract/authorizer.ts";
import {
  type ResourceAccessQuestion,
  resourceQuestion,
} from "../authorization/contract/resource-attributes.ts";
import { forbiddenRequest } from "../endpoints/requests/forbidden-request.ts";
import type { ApiRequest } from "../request/handler.ts";
import type { RequestInfo, ResourceRequestInfo } from "../request/request-info.ts";

/** A request of a user that wants to be another one. */
export interface ConstrainedRequest {
  readonly user: UserInfo;
  readonly request: ApiRequest;
  readonly info: RequestInfo;
  /** The release of the server, which words errors. */
  readonly since: Since;
}

/** The user that a request is answered as, and the verb that permitted it if a mode constrains it. */
export interface Impersonated {
  readonly user: UserInfo;
  readonly constraint: string | undefined;
}

type Mode = "associated-node" | "arbitrary-node" | "serviceaccount" | "user-info";

const nodeNameKey = "authentication.kubernetes.io/node-name";
const nodeKeysKey = "authentication.kubernetes.io/associated-node-keys";

/** From so many checks of one kind on, a permission for all of them is tried first. */
const manyChecks = 4;

/**
 * Impersonation with the gate ConstrainedImpersonation: a mode permits a user to do one thing as another one, and without it the verb
 * `impersonate` permits everything. Nothing is remembered of earlier requests. Upstream: apiserver,
 * pkg/endpoints/filters/impersonation.
 * @throws {StatusError} badRequest without a name, forbidden for what the first mode lacks
 */
export async function constrainedUser(
  asking: ConstrainedRequest,
  wanted: WantedUser,
  authorize: Authorizer,
): Promise<Impersonated> {
  if (wanted.username === "") {
    throw badRequest(`requested ${shown(wanted)} without impersonating a user name`);
  }
  let refusal: unknown;
  for (const mode of modesFor(asking.user, wanted)) {
    try {
      return await inMode(mode, asking, wanted, authorize);
    } catch (error) {
      refusal ??= error;
    }
  }
  try {
    return await asBefore(asking, wanted, authorize);
  } catch (error) {
    throw refusal ?? error;
  }
}

/** The constrained modes that apply, in the order in which they are tried. */
function modesFor(user: UserInfo, wanted: WantedUser): readonly Mode[] {
  const node = nodeOf(wanted.username);
  const isServiceAccount = serviceAccountOf(wanted.username) !== undefined;
  if (node === undefined && !isServiceAccount) return ["user-info"];
  // The server alone says what else belongs to a node or a service account.
  if (wanted.uid !== "" || wanted.groups.length > 0 || wanted.extras.length > 0) return [];
  if (node === undefined) return ["serviceaccount"];
  const nodes = user.extra[nodeNameKey] ?? [];
  const isAssociated = serviceAccountOf(user.name) !== undefined && nodes.length === 1 && nodes[0] === node;
  return isAssociated ? ["associated-node", "arbitrary-node"] : ["arbitrary-node"];
}

function nodeOf(username: string): string | undefined {
  const prefix = "system:node:";
  const name = username.startsWith(prefix) ? username.slice(prefix.length) : "";
  return name === "" || dnsSubdomainMessages(name).length > 0 ? undefined : name;
}

async function inMode(
  mode: Mode,
  { user, request, info, since }: ConstrainedRequest,
  wanted: WantedUser,
  authorize: Authorizer,
): Promise<Impersonated> {
  const constraint = `impersonate:${mode}`;
  // A service account is asked about with the keys of its extra values alone, whatever its node is.
  const asker =
    mode === "associated-node" ? { ...user, extra: { [nodeKeysKey]: Object.keys(user.extra).sort() } } : user;
  const check = checkerOf(asker, request, authorize);
  await check({ ...info, verb: `impersonate-on:${mode}:${info.verb}` });
  const may = questionerOf(constraint, "authentication.k8s.io");
  const node = nodeOf(wanted.username);
  if (node === undefined) await check(userQuestion(wanted.username, may));
  else await check(may("nodes", mode === "associated-node" ? "*" : node));
  if (wanted.uid !== "") await check(may("uids", wanted.uid));
  await checkGroups(wanted.groups, asker, may, check);
  const problem = extraProblem(wanted.extras, since);
  if (problem !== undefined) throw forbiddenRequest(asker, may("userextras", ""), problem);
  await checkExtras(wanted.extras, may, check);
  return { user: userOf(wanted, node === undefined ? wanted.groups : ["system:nodes"]), constraint };
}

/** The permissions that impersonation needs without the gate. */
async function asBefore(
  { user, request }: ConstrainedRequest,
  wanted: WantedUser,
  authorize: Authorizer,
): Promise<Impersonated> {
  const check = checkerOf(user, request, authorize);
  const ofCore = questionerOf("impersonate", "");
  const may = questionerOf("impersonate", "authentication.k8s.io");
  await check(userQuestion(wanted.username, ofCore));
  if (wanted.uid !== "") await check(may("uids", wanted.uid));
  for (const group of wanted.groups) await check(ofCore("groups", group));
  for (const { key, value } of wanted.extras) await check(may("userextras", value, { subresource: key }));
  return { user: userOf(wanted, wanted.groups), constraint: undefined };
}

function userOf({ username, uid, extras }: WantedUser, groups: readonly string[]): UserInfo {
  return { name: username, uid, groups: effectiveGroups(username, groups), extra: extraOf(extras) };
}

type Questioner = (
  resource: string,
  name: string,
  further?: Partial<ResourceAccessQuestion>,
) => ResourceRequestInfo;

function questionerOf(verb: string, group: string): Questioner {
  return (resource, name, further = {}) =>
    resourceQuestion({ verb, group, version: "v1", resource, namespace: "", name, ...further });
}

function userQuestion(username: string, may: Questioner): ResourceRequestInfo {
  const account = serviceAccountOf(username);
  if (account === undefined) return may("users", username);
  return may("serviceaccounts", account.name, { namespace: account.namespace });
}

type Check = (info: RequestInfo) => Promise<void>;

function checkerOf(user: UserInfo, request: ApiRequest, authorize: Authorizer): Check {
  return async (info) => {
    const { verdict, reason } = await authorize({ user, info, request });
    if (verdict !== "allow") throw forbiddenRequest(user, info, reason);
  };
}

async function isPermitted(check: Check, info: RequestInfo): Promise<boolean> {
  return check(info).then(
    () => true,
    () => false,
  );
}

async function checkGroups(
  groups: readonly string[],
  asker: UserInfo,
  may: Questioner,
  check: Check,
): Promise<void> {
  if (groups.includes("")) {
    const detail = "impersonating the empty string group is not allowed";
    throw forbiddenRequest(asker, may("groups", ""), detail);
  }
  const masters = "system:masters";
  if (groups.includes(masters)) {
    const detail = `impersonating the ${masters} group is not allowed`;
    throw forbiddenRequest(asker, may("groups", masters), detail);
  }
  if (groups.length >= manyChecks && (await isPermitted(check, may("groups", "*")))) return;
  for (const group of groups) await check(may("groups", group));
}

async function checkExtras(extras: WantedUser["extras"], may: Questioner, check: Check): Promise<void> {
  const all = may("userextras", "*", { subresource: "*" });
  if (extras.length >= manyChecks && (await isPermitted(check, all))) return;
  for (const { key, value } of extras) await check(may("userextras", value, { subresource: key }));
}

/** The keys of headers are in lower case already. */
function extraProblem(extras: WantedUser["extras"], since: Since): string | undefined {
  for (const { key, value } of extras) {
    if (key === "") return "impersonating the empty string key in extra is not allowed";
    const errors = collectErrors((found) => addDomainPrefixedPathErrors(found, key, "extra.key"));
    if (errors.length > 0) {
      const problem = aggregateMessage(fieldCauses(errors, since, noGoTypes));
      return `impersonating an invalid key in extra is not allowed: ${problem}`;
    }
    if (value === "") return "impersonating the empty string value in extra is not allowed";
  }
  return undefined;
}

/** The user as Go prints it. */
function shown({ username, uid, groups, extras }: WantedUser): string {
  const list = (values: readonly string[]) => `[]string{${values.map(goQuote).join(", ")}}`;
  const extra = Object.entries(extraOf(extras)).sort(([a], [b]) => (a < b ? -1 : 1));
  const entries = extra.map(([key, values]) => `${goQuote(key)}:${list(values)}`);
  const ofGroups = groups.length === 0 ? "[]string(nil)" : list(groups);
  const ofExtra =
    extra.length === 0 ? "map[string][]string(nil)" : `map[string][]string{${entries.join(", ")}}`;
  return `&user.DefaultInfo{Name:${goQuote(username)}, UID:${goQuote(uid)}, Groups:${ofGroups}, Extra:${ofExtra}}`;
}
