import { listAt, textAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { ListedChange } from "../../apimachinery/lister.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { UserInfo } from "../../apimachinery/user-info.ts";

/** The bindings of a cluster by their subjects. */
export class BindingsBySubject {
  /** By namespace; those of cluster role bindings under the empty one. */
  readonly #scopes = new Map<string, ScopeBindings>();

  /** Whether a namespace has RoleBindings. */
  has(namespace: string): boolean {
    return this.#scopes.has(namespace);
  }

  /** The RoleBindings of a namespace, or the ClusterRoleBindings for the empty one, that apply to a user, by name. */
  of(user: UserInfo, namespace: string): readonly KubeObject[] {
    return this.#scopes.get(namespace)?.of(user) ?? [];
  }

  /** Forgets all bindings. */
  clear(): void {
    this.#scopes.clear();
  }

  /** Takes over a change of a binding. */
  consider({ type, object }: ListedChange): void {
    const { namespace = "" } = object.metadata;
    const scope = this.#scopes.get(namespace) ?? new ScopeBindings(namespace);
    if (type === "put") scope.put(object);
    else scope.delete(object);
    if (scope.size > 0) this.#scopes.set(namespace, scope);
    else this.#scopes.delete(namespace);
  }
}

/** The names of the bindings of one subject, sorted when they are read. */
interface SubjectBindings {
  readonly names: Set<string>;
  sorted: readonly string[] | undefined;
}

const none: readonly string[] = [];

/** The bindings of one namespace, or those of the cluster. */
class ScopeBindings {
  readonly #namespace: string;
  readonly #byName = new Map<string, KubeObject>();
  readonly #bySubject = new Map<string, SubjectBindings>();

  constructor(namespace: string) {
    this.#namespace = namespace;
  }

  get size(): number {
    return this.#byName.size;
  }

  put(binding: KubeObject): void {
    this.delete(binding);
    const { name = "" } = binding.metadata;
    this.#byName.set(name, binding);
    for (const key of this.#keysOf(binding)) {
      const known = this.#bySubject.get(key);
      if (known === undefined) this.#bySubject.set(key, { names: new Set([name]), sorted: undefined });
      else {
        known.names.add(name);
        known.sorted = undefined;
      }
    }
  }

  delete({ metadata: { name = "" } }: KubeObject): void {
    const binding = this.#byName.get(name);
    if (binding === undefined) return;
    this.#byName.delete(name);
    for (const key of this.#keysOf(binding)) {
      const known = this.#bySubject.get(key);
      if (known?.names.delete(name)) known.sorted = undefined;
      if (known?.names.size === 0) this.#bySubject.delete(key);
    }
  }

  of({ name, groups }: UserInfo): readonly KubeObject[] {
    let names = this.#namesOf(userKey(name));
    let isMerged = false;
    for (const each of groups) {
      const further = this.#namesOf(groupKey(each));
      if (further.length === 0) continue;
      isMerged = names.length > 0;
      names = isMerged ? names.concat(further) : further;
    }
    // A binding with several subjects of the user counts once.
    const once = isMerged ? [...new Set(names)].sort() : names;
    return once.flatMap((each) => this.#byName.get(each) ?? []);
  }

  #namesOf(key: string): readonly string[] {
    const known = this.#bySubject.get(key);
    if (known === undefined) return none;
    known.sorted ??= [...known.names].sort();
    return known.sorted;
  }

  #keysOf(binding: KubeObject): ReadonlySet<string> {
    return new Set(
      listAt(binding, "subjects").flatMap((subject) => subjectKey(subject, this.#namespace) ?? []),
    );
  }
}

/** The key of a subject, which is that of the users it applies to; undefined if it applies to none. */
function subjectKey(subject: JsonObject, namespace: string): string | undefined {
  const name = textAt(subject, "name");
  switch (subject["kind"]) {
    case "User":
      return userKey(name);
    case "Group":
      return groupKey(name);
    case "ServiceAccount":
      return serviceAccountKey(namespaceOf(subject, namespace), name);
    default:
      return undefined;
  }
}

/** A service account without a namespace applies to no user. */
function serviceAccountKey(namespace: string, name: string): string | undefined {
  return namespace === "" ? undefined : userKey(`system:serviceaccount:${namespace}:${name}`);
}

function userKey(name: string): string {
  return `User ${name}`;
}

function groupKey(name: string): string {
  return `Group ${name}`;
}

/**
 * The first subject of a binding that applies to a user.
 * Upstream: pkg/registry/rbac/validation/rule.go, `appliesTo`.
 */
export function subjectFor(binding: KubeObject, user: UserInfo): JsonObject | undefined {
  const { namespace = "" } = binding.metadata;
  const keys = new Set([userKey(user.name), ...user.groups.map(groupKey)]);
  return listAt(binding, "subjects").find((subject) => keys.has(subjectKey(subject, namespace) ?? ""));
}

/** A service account in a RoleBinding is in the namespace of the binding, unless the subject has one. */
export function namespaceOf(subject: JsonObject, namespace: string): string {
  return textAt(subject, "namespace") || namespace;
}
