import { methodNotAllowed } from "../../apimachinery/errors.ts";
import { admissionRequest } from "../admit.ts";
import { parseDeleteOptions } from "../delete-options.ts";
import type { EndpointResponse } from "../endpoint-response.ts";
import type { EndpointEnvironment } from "../environment.ts";
import { parseListOptions } from "../list-options.ts";
import { negotiateOutput } from "../negotiation.ts";
import { respondList } from "../respond.ts";
import type { ResourceContext, ResourceScope } from "../scope.ts";
import { listQueryOf } from "./list.ts";

/** DELETE of a collection. */
export async function handleDeleteCollection(
  scope: ResourceScope,
  context: ResourceContext,
  environment: EndpointEnvironment,
): Promise<EndpointResponse> {
  const { request, query } = context;
  const { deleteCollection } = scope.rest;
  if (deleteCollection === undefined) {
    throw methodNotAllowed(scope.rest.definition.groupResource, "deletecollection");
  }
  const format = negotiateOutput(request, query, environment.formats.objects);
  const listQuery = listQueryOf(scope, context, parseListOptions(query, false));
  const options = await parseDeleteOptions(context, environment);
  const admission = admissionRequest("DELETE", scope, context, options.dryRun);
  await environment.admission.admit({ ...admission, object: undefined, oldObject: undefined });
  const deleted = await deleteCollection(listQuery, {
    ...options,
    user: context.user,
    now: context.now,
    warn: context.warn,
    validateAdmission: (old) => {
      const { name = "" } = old.metadata;
      const oldObject = scope.convert(old);
      return environment.admission.validate({ ...admission, name, object: undefined, oldObject });
    },
  });
  return respondList(deleted, { scope, format, context, environment });
}
