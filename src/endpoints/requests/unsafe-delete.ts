import { forbidden, internalError } from "../../apimachinery/errors/errors.ts";
import { goQuote } from "../../apimachinery/go/go-quote.ts";
import type { Status } from "../../apimachinery/status.ts";
import { resourceAttributes } from "../../authorization/contract/resource-attributes.ts";
import type { Rest } from "../../registry/contract/rest.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";
import type { ResourceContext, ResourceScope } from "../contract/scope.ts";
import { ignoreReadError } from "./delete-options.ts";

const verb = "unsafe-delete-ignore-read-errors";

/**
 * The verb that deletes objects that cannot be read, for users with the permission.
 * @throws {StatusError} forbidden
 */
export async function unsafeDeleter(
  scope: ResourceScope,
  context: ResourceContext,
  { authorize }: EndpointEnvironment,
): Promise<NonNullable<Rest["deleteCorrupt"]>> {
  const { deleteCorrupt } = scope.rest;
  if (deleteCorrupt === undefined) {
    throw internalError(`no unsafe deleter provided, can not honor ${ignoreReadError}`);
  }
  const { group, version, resource } = scope.resource;
  const { namespace, name } = context.info;
  const question = { verb, group, version, resource, namespace, name };
  const { verdict, reason } = await authorize(resourceAttributes(context.user, question));
  if (verdict !== "allow") {
    throw forbidden({ group, resource }, name, `not permitted to do ${goQuote(verb)}, reason: ${reason}`);
  }
  return deleteCorrupt;
}

/** The response to such a delete. The object could not be read, so the Status has no details of it. */
export function unseenStatus({ gvk }: ResourceScope, name: string): Status {
  const details = { name, kind: gvk.kind };
  return { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", details, code: 200 };
}
