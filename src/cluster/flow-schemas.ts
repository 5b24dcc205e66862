import { isJsonObject, type JsonObject, type JsonValue } from "../apimachinery/json.ts";
import type { Lister } from "../apimachinery/lister.ts";
import { type KubeObject, section } from "../apimachinery/object-meta.ts";
import type { UserInfo } from "../apimachinery/user-info.ts";
import type { RequestInfo, ResourceRequestInfo } from "../request/request-info.ts";
import type { Store } from "../store/store.ts";

const group = "flowcontrol.apiserver.k8s.io";

/** What priority and fairness calls a request; both are uids. */
export interface Flow {
  readonly flowSchema: string;
  readonly priorityLevel: string;
}

interface FlowSchema extends Flow {
  readonly rules: readonly JsonObject[];
}

/** The flow schemas of a cluster in the order in which they are tried. Nothing is held back; the answer only says what would be. */
export class FlowSchemas {
  readonly #lister: Lister;
  readonly #store: Store<KubeObject>;
  #schemas: readonly FlowSchema[] | undefined;

  constructor(lister: Lister, store: Store<KubeObject>) {
    this.#lister = lister;
    this.#store = store;
  }

  /** The first schema that matches; undefined in a cluster that has none. */
  flowOf(user: UserInfo, info: RequestInfo): Flow | undefined {
    this.#schemas ??= this.#read();
    return this.#schemas.find(({ rules }) => rules.some((rule) => ruleMatches(rule, user, info)));
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
      .map((schema) => {
        const spec = section(schema, "spec");
        const level = section(spec, "priorityLevelConfiguration")["name"];
        return {
          flowSchema: schema.metadata.uid ?? "",
          priorityLevel: (typeof level === "string" ? levels.get(level) : undefined) ?? "",
          rules: objects(spec["rules"]),
        };
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
  return Number(section(schema, "spec")["matchingPrecedence"] ?? 1000);
}

function ruleMatches(rule: JsonObject, user: UserInfo, info: RequestInfo): boolean {
  if (!objects(rule["subjects"]).some((subject) => subjectMatches(subject, user))) return false;
  return info.isResourceRequest
    ? objects(rule["resourceRules"]).some((resources) => resourceMatches(resources, info))
    : objects(rule["nonResourceRules"]).some((paths) => pathMatches(paths, info.verb, info.path));
}

function subjectMatches(subject: JsonObject, user: UserInfo): boolean {
  switch (subject["kind"]) {
    case "User":
      return isNamed(section(subject, "user")["name"], user.name);
    case "Group": {
      const name = section(subject, "group")["name"];
      return name === "*" || user.groups.some((member) => member === name);
    }
    case "ServiceAccount": {
      const { namespace, name } = section(subject, "serviceAccount");
      const prefix = `system:serviceaccount:${String(namespace)}:`;
      return user.name.startsWith(prefix) && isNamed(name, user.name.slice(prefix.length));
    }
    default:
      return false;
  }
}

function isNamed(pattern: JsonValue | undefined, name: string): boolean {
  return pattern === "*" || pattern === name;
}

function resourceMatches(rule: JsonObject, info: ResourceRequestInfo): boolean {
  const { resource, subresource } = info;
  const wanted = subresource === "" ? resource : `${resource}/${subresource}`;
  if (!includes(rule["verbs"], info.verb)) return false;
  if (!includes(rule["apiGroups"], info.group) || !includes(rule["resources"], wanted)) return false;
  return info.namespace === "" ? rule["clusterScope"] === true : includes(rule["namespaces"], info.namespace);
}

function pathMatches(rule: JsonObject, verb: string, path: string): boolean {
  if (!includes(rule["verbs"], verb)) return false;
  const patterns = rule["nonResourceURLs"];
  return Array.isArray(patterns) && patterns.some((pattern) => isPath(String(pattern), path));
}

function isPath(pattern: string, path: string): boolean {
  if (pattern === "*" || pattern === path) return true;
  return pattern.endsWith("/*") && path.startsWith(pattern.slice(0, -1));
}

function includes(list: JsonValue | undefined, value: string): boolean {
  return Array.isArray(list) && (list.includes("*") || list.includes(value));
}

function objects(list: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}
