import { forbidden, internalError } from "../../apimachinery/errors/errors.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";
import type { ResourceContext } from "../contract/scope.ts";
import { forbiddenStatusError } from "./forbidden-request.ts";

/**
 * Checks the permission to create, for an update that creates. Upstream: apiserver, pkg/endpoints/handlers/update.go, `withAuthorization`.
 * @throws {StatusError} forbidden, or an internal error if an authorizer has failed
 */
export async function authorizeCreation(
  { user, info: asked }: ResourceContext,
  { authorize, gates }: EndpointEnvironment,
): Promise<void> {
  const info = { ...asked, verb: "create" };
  const { verdict, reason, error } = await authorize({ user, info });
  if (verdict === "allow") return;
  if (error !== undefined) throw internalError(error);
  if (gates.since("1.32")) throw forbiddenStatusError(user, info, reason);
  throw forbidden({ group: info.group, resource: info.resource }, info.name, reason);
}
