import { isNotFound } from "../../apimachinery/error-predicates.ts";
import type { DeleteOptions, ListQuery, ListResult } from "../rest.ts";
import { deleteObject } from "./delete.ts";
import { listObjects } from "./list.ts";
import type { StoredResource } from "./stored-resource.ts";

/** Deletes what a list gives, one by one, and answers the list. Objects that are gone meanwhile do not matter. */
export async function deleteCollection(
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
