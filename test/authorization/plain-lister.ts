import { formatGroupResource, type GroupResource } from "../../src/apimachinery/group-version.ts";
import type { FollowingLister, ListedChange, ListedObjects } from "../../src/apimachinery/lister.ts";
import type { KubeObject } from "../../src/apimachinery/object-meta.ts";
import type { AuthorizationState } from "../../src/authorization/contract/authorizer.ts";
import { BoundRoles } from "../../src/authorization/rbac/bound-roles.ts";

/** A lister of objects in memory that a test changes. */
export class PlainLister implements FollowingLister {
  readonly #objects = new Map<string, ListedChange>();
  readonly #log: ListedChange[] = [];
  #restarts = 0;

  put(resource: GroupResource, object: KubeObject): void {
    const change: ListedChange = { type: "put", resource, object };
    this.#objects.set(keyOf(resource, object), change);
    this.#log.push(change);
  }

  delete(resource: GroupResource, object: KubeObject): void {
    this.#objects.delete(keyOf(resource, object));
    this.#log.push({ type: "delete", resource, object });
  }

  /** Everything that follows the objects starts again, as after a restored snapshot. */
  restart(): void {
    this.#restarts += 1;
  }

  /** Starts again without an object, as after an older snapshot is restored. */
  forget(): void {
    this.#objects.clear();
    this.restart();
  }

  get(resource: GroupResource, namespace: string, name: string): KubeObject | undefined {
    return this.#objects.get(keyOf(resource, { metadata: { namespace, name } }))?.object;
  }

  list(resource: GroupResource, namespace: string): readonly KubeObject[] {
    return this.#listed([resource])
      .map(({ object }) => object)
      .filter(({ metadata }) => namespace === "" || metadata.namespace === namespace);
  }

  follow(resources: readonly GroupResource[]): ListedObjects {
    let read = 0;
    let restarts = -1;
    return {
      next: () => {
        const isComplete = restarts !== this.#restarts;
        const changes = isComplete ? this.#listed(resources) : this.#log.slice(read).filter(isOf(resources));
        read = this.#log.length;
        restarts = this.#restarts;
        return isComplete || changes.length > 0 ? { isComplete, changes } : undefined;
      },
    };
  }

  #listed(resources: readonly GroupResource[]): readonly ListedChange[] {
    return [...this.#objects.values()].filter(isOf(resources));
  }
}

/** What a server with these objects authorizes by. */
export function stateOf(lister: FollowingLister): AuthorizationState {
  return { lister, roles: new BoundRoles(lister) };
}

function isOf(resources: readonly GroupResource[]): (change: ListedChange) => boolean {
  const names = new Set(resources.map(formatGroupResource));
  return ({ resource }) => names.has(formatGroupResource(resource));
}

function keyOf(resource: GroupResource, { metadata }: Pick<KubeObject, "metadata">): string {
  return `${formatGroupResource(resource)}/${metadata.namespace ?? ""}/${metadata.name ?? ""}`;
}
