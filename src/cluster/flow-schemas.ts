import { listAt, structAt, textAt, textsAt } from "../apimachinery/fields.ts";
import type { JsonObject } from "../apimachinery/json.ts";
import type { Lister } from "../apimachinery/lister.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { UserInfo } from "../apimachinery/user-info.ts";
import { type FlowCounts, FlowMetrics } from "../endpoints/contract/flow-metrics.ts";
import type { NonResourceRequestInfo, RequestInfo, ResourceRequestInfo } from "../request/request-info.ts";
import { rememberedByPart } from "../sharing/remembered-by-part.ts";
import type { Store } from "../store/store.ts";

const group = "flowcontrol.apiserver.k8s.io";

/** How API Priority and Fairness classifies a request. */
export interface Flow {
  /** The headers with the uids of the flow schema and of its priority level. */
  readonly headers: FlowHeaders;
  /** Notes that a request of the flow has been answered. */
  end(): void;
  /** Notes that a request of the flow was not executed. */
  reject(): void;
}

type Matches<T> = (request: T) => boolean;

/** A parsed rule: every request is matched against all of them. */
interface FlowRule {
  readonly subjects: readonly Matches<UserInfo>[];
  readonly resources: readonly Matches<ResourceRequestInfo>[];
  readonly paths: readonly Matches<NonResourceRequestInfo>[];
}

type FlowHeaders = readonly [schema: readonly [string, string], level: readonly [string, string]];

class FlowSchema implements Flow {
  readonly headers: FlowHeaders;
  readonly rules: readonly FlowRule[];
  readonly counts: FlowCounts;

  constructor(schema: KubeObject, priorityLevel: string, counts: FlowCounts) {
    this.headers = [
      ["X-Kubernetes-Pf-Flowschema-Uid", schema.metadata.uid ?? ""],
      ["X-Kubernetes-Pf-Prioritylevel-Uid", priorityLevel],
    ];
    this.rules = rulesOf(structAt(schema, "spec"));
    this.counts = counts;
  }

  end(): void {
    this.counts.executing -= 1;
  }

  reject(): void {
    this.counts.dispatched -= 1;
    this.counts.rejected += 1;
  }
}

/** A schema with the rules that are about a user. */
interface UserFlow {
  readonly schema: FlowSchema;
  readonly rules: readonly FlowRule[];
}

/** The flow schemas of a cluster in matching order. Requests are only classified, never queued. */
export class FlowSchemas {
  readonly #lister: Lister;
  readonly #store: Store<KubeObject>;
  /** What is counted of the flows, by the names of their schemas and levels; as many as have been configured. */
  readonly flows: FlowMetrics = new FlowMetrics();
  #schemas: readonly FlowSchema[] | undefined;
  /** By the user: all requests with one token have the same one. */
  #known = new WeakMap<UserInfo, readonly UserFlow[]>();

  constructor(lister: Lister, store: Store<KubeObject>) {
    this.#lister = lister;
    this.#store = store;
  }

  /** The first schema that matches; undefined in a cluster that has none. */
  flowOf(user: UserInfo, info: RequestInfo): Flow | undefined {
    for (const { schema, rules } of this.#flowsOf(user)) {
      if (!rules.some((rule) => ruleMatches(rule, info))) continue;
      schema.counts.dispatched += 1;
      schema.counts.executing += 1;
      return schema;
    }
    return undefined;
  }

  #flowsOf(user: UserInfo): readonly UserFlow[] {
    if (this.#schemas === undefined) {
      this.#schemas = this.#read();
      this.#known = new WeakMap();
    }
    const known = this.#known.get(user) ?? this.#schemas.flatMap((schema) => userFlows(schema, user));
    this.#known.set(user, known);
    return known;
  }

  #read(): readonly FlowSchema[] {
    for (const resource of ["flowschemas", "prioritylevelconfigurations"]) this.#forgetWhenChanged(resource);
    const levels = new Map(
      this.#lister
        .list({ group, resource: "prioritylevelconfigurations" }, "")
        .map(({ metadata }) => [metadata.name, metadata.uid ?? ""]),
    );
    const schemas = this.#lister.list({ group, resource: "flowschemas" }, "");
    return schemas
      .toSorted((a, b) => precedence(a) - precedence(b))
      .flatMap((schema) => {
        const level = textAt(schema, "spec", "priorityLevelConfiguration", "name");
        const uid = levels.get(level);
        // A schema without a level counts for no request.
        if (uid === undefined) return [];
        return new FlowSchema(schema, uid, this.flows.countsOf(schema.metadata.name ?? "", level));
      });
  }

  #forgetWhenChanged(resource: string): void {
    const feed = this.#store.watch({ prefix: `/registry/${resource}/`, from: this.#store.revision });
    feed.onReady(() => {
      feed.close();
      this.#schemas = undefined;
    });
  }
}

function precedence(schema: KubeObject): number {
  return Number(structAt(schema, "spec")["matchingPrecedence"] ?? 1000);
}

/** Fresh clusters share the specs of their flow schemas. */
const rulesOf = rememberedByPart((spec: JsonObject) => listAt(spec, "rules").map(ruleOf));

function ruleOf(rule: JsonObject): FlowRule {
  return {
    subjects: listAt(rule, "subjects").map(subjectOf),
    resources: listAt(rule, "resourceRules").map(resourcesOf),
    paths: listAt(rule, "nonResourceRules").map(pathsOf),
  };
}

/** The schema with its rules for a user; none if it has none. */
function userFlows(schema: FlowSchema, user: UserInfo): readonly UserFlow[] {
  const rules = schema.rules.filter(({ subjects }) => subjects.some((matches) => matches(user)));
  return rules.length === 0 ? [] : [{ schema, rules }];
}

function ruleMatches({ resources, paths }: FlowRule, info: RequestInfo): boolean {
  if (!info.isResourceRequest) return paths.some((matches) => matches(info));
  return resources.some((matches) => matches(info));
}

function subjectOf(subject: JsonObject): Matches<UserInfo> {
  switch (subject["kind"]) {
    case "User": {
      const name = textAt(subject, "user", "name");
      return (user) => isNamed(name, user.name);
    }
    case "Group": {
      const name = textAt(subject, "group", "name");
      return ({ groups }) => name === "*" || groups.includes(name);
    }
    case "ServiceAccount": {
      const account = structAt(subject, "serviceAccount");
      const name = textAt(account, "name");
      const prefix = `system:serviceaccount:${textAt(account, "namespace")}:`;
      return (user) => user.name.startsWith(prefix) && isNamed(name, user.name.slice(prefix.length));
    }
    default:
      return () => false;
  }
}

function isNamed(pattern: string, name: string): boolean {
  return pattern === "*" || pattern === name;
}

function resourcesOf(rule: JsonObject): Matches<ResourceRequestInfo> {
  const verbs = namesOf(rule, "verbs");
  const groups = namesOf(rule, "apiGroups");
  const resources = namesOf(rule, "resources");
  const namespaces = namesOf(rule, "namespaces");
  const isClusterScoped = rule["clusterScope"] === true;
  return ({ verb, group: apiGroup, resource, subresource, namespace }) =>
    includes(verbs, verb) &&
    includes(groups, apiGroup) &&
    includes(resources, subresource === "" ? resource : `${resource}/${subresource}`) &&
    (namespace === "" ? isClusterScoped : includes(namespaces, namespace));
}

function pathsOf(rule: JsonObject): Matches<NonResourceRequestInfo> {
  const verbs = namesOf(rule, "verbs");
  const patterns = namesOf(rule, "nonResourceURLs") ?? ["*"];
  return ({ verb, path }) => includes(verbs, verb) && patterns.some((pattern) => isPath(pattern, path));
}

function isPath(pattern: string, path: string): boolean {
  if (pattern === "*" || pattern === path) return true;
  return pattern.endsWith("/*") && path.startsWith(pattern.slice(0, -1));
}

/** The names in a list of a rule; undefined if the list has `*`, which matches everything. */
function namesOf(rule: JsonObject, field: string): readonly string[] | undefined {
  const names = textsAt(rule, field);
  return names.includes("*") ? undefined : names;
}

function includes(names: readonly string[] | undefined, name: string): boolean {
  return names === undefined || names.includes(name);
}
