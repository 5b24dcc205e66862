import { invalid, type StatusError } from "../../apimachinery/errors/errors.ts";
import { fieldInvalid } from "../../apimachinery/errors/field.ts";
import { negotiateOutput } from "../../codec/media-types/negotiation.ts";
import type { EndpointResponse } from "../contract/endpoint-response.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";
import type { ResourceContext, ResourceScope } from "../contract/scope.ts";
import { admissionRequest, admitDeletion } from "../requests/admit.ts";
import { ignoreReadError, parseDeleteOptions } from "../requests/delete-options.ts";
import { parseListOptions } from "../requests/list-options.ts";
import { respondList } from "../responses/respond.ts";
import { listQueryOf } from "./list.ts";
import { supported } from "./supported.ts";

/** DELETE of a collection. */
export async function handleDeleteCollection(
  scope: ResourceScope,
  context: ResourceContext,
  environment: EndpointEnvironment,
): Promise<EndpointResponse> {
  const { request, query } = context;
  const deleteCollection = supported(scope, "deleteCollection");
  const format = negotiateOutput(request, query, scope.formats.objects);
  const listQuery = listQueryOf(scope, context, parseListOptions(query, environment.gates));
  const options = await parseDeleteOptions(context, environment);
  if (options.ignoresReadError) throw notOfCollections();
  const admission = admissionRequest("DELETE", scope, context, options);
  const deleted = await deleteCollection(listQuery, {
    ...options,
    user: context.user,
    now: context.now,
    warn: context.warn,
    validateAdmission: (old, grace) => admitDeletion(admission, old, grace, scope, environment),
  });
  return respondList(deleted, { scope, format, context, environment });
}

function notOfCollections(): StatusError {
  const detail = "is not allowed with DELETECOLLECTION, try again after removing the option";
  const options = { group: "meta.k8s.io", kind: "DeleteOptions" };
  return invalid(options, "", [fieldInvalid(ignoreReadError, true, detail)]);
}
