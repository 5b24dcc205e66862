import type { MutableKubeObject } from "../../apimachinery/object-meta.ts";
import type { Encodable } from "../../codec/encodable.ts";
import type { LatestObject } from "../../sharing/latest-object.ts";
import type { ObjectKey } from "../contract/object-key.ts";
import type { ResourceWatch } from "../contract/resource-watch.ts";
import type {
  Answer,
  CreateOptions,
  Deleted,
  DeleteOptions,
  ListQuery,
  ListResult,
  ProposeUpdate,
  ResourceDefinition,
  Rest,
  SeedObject,
  Updated,
  UpdateOptions,
  WatchQuery,
} from "../contract/rest.ts";
import type { StorageCodec } from "../contract/storage-codec.ts";
import type { StoredResource } from "../contract/stored-resource.ts";
import { cacheNotReady, isCacheReady } from "./corrupt-object.ts";
import { createObject } from "./create.ts";
import { deleteObject } from "./delete.ts";
import { deleteCollection } from "./delete-collection.ts";
import { deleteCorruptObject } from "./delete-corrupt.ts";
import { getObject } from "./get.ts";
import { listObjects } from "./list.ts";
import { updateObject } from "./update.ts";
import { watchObjects } from "./watch.ts";

/** All verbs of a stored resource. Upstream: `registry.Store`. */
export class GenericRegistry implements Rest {
  readonly #resource: StoredResource;

  constructor(resource: StoredResource) {
    this.#resource = resource;
  }

  get definition(): ResourceDefinition {
    return this.#resource.definition;
  }

  get codec(): StorageCodec | undefined {
    return this.#resource.codec;
  }

  get latest(): LatestObject {
    return this.#resource.latest;
  }

  readonly get = (key: ObjectKey): Encodable => getObject(this.#resource, key);

  readonly list = (query: ListQuery): ListResult => listObjects(this.#resource, query);

  readonly watch = (query: WatchQuery): ResourceWatch => watchObjects(this.#resource, query);

  readonly checkWatch = (): void => {
    if (!isCacheReady(this.#resource)) throw cacheNotReady();
  };

  readonly create = async (
    key: ObjectKey,
    object: MutableKubeObject,
    options: CreateOptions,
  ): Promise<Answer> => ({ object: await createObject(this.#resource, key.namespace, object, options) });

  readonly loadSeed = async (): Promise<SeedObject> => {
    const { seedObject } = await import("./seed.ts");
    return (key, object, options) => seedObject(this.#resource, key, object, options);
  };

  readonly update = (key: ObjectKey, propose: ProposeUpdate, options: UpdateOptions): Promise<Updated> =>
    updateObject(this.#resource, key, propose, options);

  readonly delete = async (key: ObjectKey, options: DeleteOptions): Promise<Deleted> => {
    this.#resource.strategy.checkDeletion(key.name);
    this.#warnOfOrphans(options);
    return deleteObject(this.#resource, key, options);
  };

  readonly deleteCorrupt = (key: ObjectKey, options: DeleteOptions): Promise<void> =>
    deleteCorruptObject(this.#resource, key, options);

  readonly deleteCollection = (query: ListQuery, options: DeleteOptions): Promise<ListResult> => {
    this.#warnOfOrphans(options);
    return deleteCollection(this.#resource, query, options);
  };

  #warnOfOrphans({ propagationPolicy, orphanDependents, warn }: DeleteOptions): void {
    const { orphanWarning } = this.#resource.strategy;
    const isSaid = propagationPolicy !== undefined || orphanDependents !== undefined;
    if (orphanWarning !== undefined && !isSaid) warn(orphanWarning);
  }
}
