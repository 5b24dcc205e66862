import {
  aggregateMessage,
  fieldCauses,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
} from "../apimachinery/errors/field.ts";
import { booleanAt, listAt, textAt, textsAt } from "../apimachinery/fields.ts";
import { noGoTypes } from "../apimachinery/go/go-shape.ts";
import { go } from "../apimachinery/go/go-value.ts";
import { isJsonObject, type JsonObject } from "../apimachinery/json.ts";
import { nearestName } from "../apimachinery/nearest-name.ts";
import type { Since } from "../apimachinery/release.ts";
import { addInvalid, collectErrors, type Findings } from "../apimachinery/validation/findings.ts";
import { dnsSubdomainMessages } from "../apimachinery/validation/names.ts";
import { parseYaml } from "../codec/yaml/yaml.ts";
import type { AuditLevel } from "./audit-event.ts";
import type { LoggedRequest } from "./logged-request.ts";

/** How a policy records a request. */
export interface AuditDecision {
  readonly level: AuditLevel | "None";
  readonly omitStages: ReadonlySet<string>;
  readonly omitManagedFields: boolean;
}

interface Rule extends AuditDecision {
  readonly matches: (request: LoggedRequest) => boolean;
}

const levels = ["None", "Metadata", "Request", "RequestResponse"] as const;
const stages = ["RequestReceived", "ResponseStarted", "ResponseComplete", "Panic"];

/** The rules of an audit policy file: the first one that matches a request decides. */
export class AuditPolicy {
  readonly #rules: readonly Rule[];

  constructor(rules: readonly Rule[]) {
    this.#rules = rules;
  }

  /** How to record a request whose user is known; undefined without a matching rule. */
  decide(request: LoggedRequest): AuditDecision | undefined {
    return this.#rules.find(({ matches }) => matches(request));
  }

  /** The highest level of the rules, which decides on the bodies that the cluster must keep. */
  get highest(): AuditLevel {
    const highest = Math.max(...this.#rules.map(({ level }) => levels.indexOf(level)));
    const level = levels[highest];
    return level === undefined || level === "None" ? "Metadata" : level;
  }
}

/** A policy, and warnings about members that it does not have. */
export interface ReadAuditPolicy {
  readonly policy: AuditPolicy;
  readonly warnings: readonly string[];
}

/**
 * Reads a policy of audit.k8s.io/v1 from YAML or JSON, and validates it as kube-apiserver does.
 * https://kubernetes.io/docs/reference/config-api/apiserver-audit.v1/
 * @throws {Error} with upstream's message
 */
export function readAuditPolicy(text: string, since: Since): ReadAuditPolicy {
  const policy = parseYaml(text);
  if (!isJsonObject(policy)) throw new Error("failed decoding: the policy is not an object");
  const [apiVersion, kind] = [textAt(policy, "apiVersion"), textAt(policy, "kind")];
  if (apiVersion !== "audit.k8s.io/v1" || kind !== "Policy")
    throw new Error(
      `failed decoding: no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)}`,
    );
  const rules = listAt(policy, "rules");
  const errors = collectErrors((found) => {
    for (const [at, rule] of rules.entries()) validateRule(found, rule, `rules[${at}]`);
  });
  if (errors.length > 0) throw new Error(aggregateMessage(fieldCauses(errors, since, noGoTypes)));
  if (rules.length === 0) throw new Error("loaded illegal policy with 0 rules");
  return {
    policy: new AuditPolicy(rules.map((rule) => ruleOf(policy, rule))),
    warnings: unknownMembers(policy),
  };
}

function validateRule(errors: Findings, rule: JsonObject, path: string): void {
  const level = textAt(rule, "level");
  if (level === "") errors.push(fieldRequired(`${path}.level`));
  else if (!levels.some((one) => one === level))
    errors.push(fieldNotSupported(`${path}.level`, level, levels));
  const urls = textsAt(rule, "nonResourceURLs");
  for (const [at, url] of urls.entries()) validateUrl(errors, url, `${path}.nonResourceURLs[${at}]`);
  for (const resources of listAt(rule, "resources"))
    validateResources(errors, resources, `${path}.resources`);
  for (const [at, stage] of textsAt(rule, "omitStages").entries()) {
    if (!stages.includes(stage))
      errors.push(fieldInvalid(`${path}.omitStages[${at}]`, stage, `allowed stages are ${stages.join(",")}`));
  }
  const isForResources = listAt(rule, "resources").length > 0 || textsAt(rule, "namespaces").length > 0;
  if (urls.length > 0 && isForResources) {
    const detail = "rules cannot apply to both regular resources and non-resource URLs";
    errors.push(fieldInvalid(`${path}.nonResourceURLs`, go.stringSlice(urls), detail));
  }
}

function validateUrl(errors: Findings, url: string, path: string): void {
  if (url === "*") return;
  if (!url.startsWith("/"))
    errors.push(fieldInvalid(path, url, "non-resource URL rules must begin with a '/' character"));
  if (url.slice(0, -1).includes("*"))
    errors.push(
      fieldInvalid(path, url, "non-resource URL wildcards '*' must be the final character of the rule"),
    );
}

function validateResources(errors: Findings, resources: JsonObject, path: string): void {
  const group = textAt(resources, "group");
  if (group !== "") addInvalid(errors, `${path}.group`, group, dnsSubdomainMessages(group));
  const names = textsAt(resources, "resourceNames");
  if (names.length > 0 && textsAt(resources, "resources").length === 0) {
    const detail = "using resourceNames requires at least one resource";
    errors.push(fieldInvalid(`${path}.resourceNames`, go.stringSlice(names), detail));
  }
}

function ruleOf(policy: JsonObject, rule: JsonObject): Rule {
  const level = levels.find((one) => one === textAt(rule, "level")) ?? "None";
  const omitted = rule["omitManagedFields"] === undefined ? policy : rule;
  return {
    level,
    omitStages: new Set([...textsAt(policy, "omitStages"), ...textsAt(rule, "omitStages")]),
    omitManagedFields: booleanAt(omitted, "omitManagedFields"),
    matches: matcherOf(rule),
  };
}

function matcherOf(rule: JsonObject): (request: LoggedRequest) => boolean {
  const users = textsAt(rule, "users");
  const groups = textsAt(rule, "userGroups");
  const verbs = textsAt(rule, "verbs");
  const namespaces = textsAt(rule, "namespaces");
  const resources = listAt(rule, "resources");
  const urls = textsAt(rule, "nonResourceURLs");
  return (request) => {
    const { user, userInfo, verb, resource, namespace, path } = request;
    if (users.length > 0 && !users.includes(user)) return false;
    if (groups.length > 0 && !userInfo?.groups.some((group) => groups.includes(group))) return false;
    if (verbs.length > 0 && !verbs.includes(verb)) return false;
    if (namespaces.length > 0 || resources.length > 0) {
      if (resource === "" || (namespaces.length > 0 && !namespaces.includes(namespace))) return false;
      return resources.length === 0 || resources.some((one) => hasResource(one, request));
    }
    return urls.length === 0 || (resource === "" && urls.some((url) => matchesPath(url, path)));
  };
}

function hasResource(rule: JsonObject, { group, resource, subresource, name }: LoggedRequest): boolean {
  if (textAt(rule, "group") !== group) return false;
  const resources = textsAt(rule, "resources");
  if (resources.length === 0) return true;
  const names = textsAt(rule, "resourceNames");
  if (names.length > 0 && !names.includes(name)) return false;
  const combined = subresource === "" ? resource : `${resource}/${subresource}`;
  const accepted = ["*", combined, `${resource}/*`, ...(subresource === "" ? [] : [`*/${subresource}`])];
  return resources.some((one) => accepted.includes(one));
}

function matchesPath(pattern: string, path: string): boolean {
  if (pattern === "*" || pattern === path) return true;
  return pattern.endsWith("*") && path.startsWith(pattern.slice(0, -1));
}

const members = ["apiVersion", "kind", "metadata", "rules", "omitStages", "omitManagedFields"];
const ruleMembers = [
  ...["level", "users", "userGroups", "verbs", "resources", "namespaces", "nonResourceURLs"],
  ...["omitStages", "omitManagedFields"],
];
const resourceMembers = ["group", "resources", "resourceNames"];

/** Like kube-apiserver, a policy may have members that do not exist, which only cause a warning. */
function unknownMembers(policy: JsonObject): readonly string[] {
  const warnings = unknownIn(policy, members, "");
  for (const [at, rule] of listAt(policy, "rules").entries()) {
    const path = `rules[${at}].`;
    warnings.push(...unknownIn(rule, ruleMembers, path));
    for (const [number, one] of listAt(rule, "resources").entries())
      warnings.push(...unknownIn(one, resourceMembers, `${path}resources[${number}].`));
  }
  return warnings;
}

function unknownIn(object: JsonObject, known: readonly string[], path: string): string[] {
  return Object.keys(object)
    .filter((name) => !known.includes(name))
    .map((name) => {
      const nearest = nearestName(name, known);
      const hint = nearest === undefined ? "" : `; did you mean ${nearest}?`;
      return `unknown field ${JSON.stringify(path + name)}${hint}`;
    });
}
