import { badRequest } from "../../apimachinery/errors/errors.ts";
import type { MutableKubeObject } from "../../apimachinery/object-meta.ts";
import type { ResourceContext, ResourceScope } from "../contract/scope.ts";

/**
 * Sets the namespace of the URL, or removes that of a cluster-scoped object.
 * @throws {StatusError} badRequest if the body names another namespace
 */
export function agreeOnNamespace(
  object: MutableKubeObject,
  scope: ResourceScope,
  context: ResourceContext,
): void {
  const { metadata } = object;
  if (!scope.resource.namespaced) {
    delete metadata.namespace;
    return;
  }
  const { namespace } = context.info;
  if (!metadata.namespace) metadata.namespace = namespace;
  if (metadata.namespace === namespace) return;
  throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
}

/** @throws {StatusError} badRequest if the body has no name, or another one than the URL */
export function checkName(object: MutableKubeObject, name: string): void {
  const objectName = object.metadata.name ?? "";
  if (objectName === "") {
    throw badRequest(
      `the name of the object (${name} based on URL) was undeterminable: name must be provided`,
    );
  }
  if (objectName === name) return;
  throw badRequest(`the name of the object (${objectName}) does not match the name on the URL (${name})`);
}
