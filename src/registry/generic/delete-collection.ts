import { isNotFound } from "../../apimachinery/errors/error-predicates.ts";
import type { DeleteOptions, ListQuery, ListResult } from "../contract/rest.ts";
import type { StoredResource } from "../contract/stored-resource.ts";
import { deleteObject } from "./delete.ts";
import { listObjects } from "./list.ts";

/** The page size for a deletecollection without a limit. */
const pageSize = 10_000;

/**
 * Deletes the objects of a list one by one, and returns the list. Objects that were deleted meanwhile are ignored. Without a
 * limit, the list has all objects and the metadata of the first page. Upstream: `Store.DeleteCollection`.
 */
export async function deleteCollection(
  resource: StoredResource,
  query: ListQuery,
  options: DeleteOptions,
): Promise<ListResult> {
  if (query.limit > 0) return deletePage(resource, query, options);
  const first = await deletePage(resource, { ...query, limit: pageSize }, options);
  const items = [...first.items];
  for (let token = first.continueToken; token !== undefined; ) {
    const page = await deletePage(resource, { ...query, limit: pageSize, continueToken: token }, options);
    for (const item of page.items) items.push(item);
    token = page.continueToken;
  }
  return { ...first, items };
}

async function deletePage(
  resource: StoredResource,
  query: ListQuery,
  options: DeleteOptions,
): Promise<ListResult> {
  const listed = listObjects(resource, query);
  for (const { value } of listed.items) {
    const { namespace = "", name = "" } = value.metadata;
    try {
      await deleteObject(resource, { namespace, name }, options);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
  return listed;
}
