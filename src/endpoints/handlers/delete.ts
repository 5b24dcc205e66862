import { methodNotAllowed } from "../../apimachinery/errors/errors.ts";
import { negotiateOutput } from "../../codec/media-types/negotiation.ts";
import type { EndpointResponse } from "../contract/endpoint-response.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";
import type { ResourceContext, ResourceScope } from "../contract/scope.ts";
import { admissionRequest, admitDeletion } from "../requests/admit.ts";
import { parseDeleteOptions } from "../requests/delete-options.ts";
import { unsafeDeleter } from "../requests/unsafe-delete.ts";
import { respondAnswer } from "../responses/respond.ts";

/** DELETE of one object. */
export async function handleDelete(
  scope: ResourceScope,
  context: ResourceContext,
  environment: EndpointEnvironment,
): Promise<EndpointResponse> {
  const { request, query, info } = context;
  const remove = scope.rest.delete;
  if (remove === undefined) throw methodNotAllowed(scope.rest.definition.groupResource, "delete");
  const format = negotiateOutput(request, query, environment.formats.objects);
  const options = await parseDeleteOptions(context, environment);
  const admission = admissionRequest("DELETE", scope, context, options);
  const deleter = options.ignoresReadError ? await unsafeDeleter(scope, context, environment) : remove;
  const deleted = await deleter(
    { namespace: info.namespace, name: info.name },
    {
      ...options,
      user: context.user,
      now: context.now,
      warn: context.warn,
      returns: context.deleteReturns,
      validateAdmission: (old) => admitDeletion(admission, old, scope, environment),
    },
  );
  // Clients before 1.7 took 200 to mean that the object is gone, so clients that still send orphanDependents get 202 if
  // it is not.
  const isAccepted = options.orphanDependents === false && !deleted.immediate;
  return respondAnswer(isAccepted ? 202 : 200, deleted.answer, { scope, format, context, environment });
}
