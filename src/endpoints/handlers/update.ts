import { methodNotAllowed } from "../../apimachinery/errors/errors.ts";
import { shallowCopy } from "../../apimachinery/json.ts";
import { negotiateInput, negotiateOutput } from "../../codec/media-types/negotiation.ts";
import { readBody } from "../../codec/media-types/request-body.ts";
import { sharePartsOf } from "../../sharing/shared-parts.ts";
import type { EndpointResponse } from "../contract/endpoint-response.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";
import { managerOf } from "../contract/field-managers.ts";
import type { ResourceContext, ResourceScope } from "../contract/scope.ts";
import { admissionRequest, attributesOf, ending, reverting } from "../requests/admit.ts";
import { decodeBody } from "../requests/decode-body.ts";
import { agreeOnNamespace, checkName } from "../requests/object-names.ts";
import { dedupOwnerReferences } from "../requests/owner-references.ts";
import { updateOptions } from "../requests/update-options.ts";
import { parseWriteQuery } from "../requests/write-options.ts";
import { respondObject } from "../responses/respond.ts";

/** PUT of an object, or of a subresource that reads like one. */
export async function handleUpdate(
  scope: ResourceScope,
  context: ResourceContext,
  environment: EndpointEnvironment,
): Promise<EndpointResponse> {
  const { request, query, info } = context;
  const { update } = scope.rest;
  if (update === undefined) throw methodNotAllowed(scope.rest.definition.groupResource, "update");
  const format = negotiateOutput(request, query, environment.formats.objects);
  const mediaType = negotiateInput(request, environment.formats.mediaTypes);
  const body = await readBody(request);
  const options = parseWriteQuery(query, scope.gates, "UpdateOptions");
  const object = await decodeBody(body, mediaType, options.fieldValidation, scope, context, environment);
  agreeOnNamespace(object, scope, context);
  checkName(object, info.name);
  dedupOwnerReferences(object, false, context.warn);

  const admission = admissionRequest("UPDATE", scope, context, options.dryRun, object);
  const updated = await update(
    { namespace: info.namespace, name: info.name },
    async (current) => {
      const proposed = shallowCopy(object);
      proposed.metadata = shallowCopy(object.metadata);
      const oldObject = current && scope.convert(current);
      if (oldObject !== undefined) sharePartsOf(oldObject, proposed);
      if (scope.tracksFields) {
        environment.fieldManagers
          .of(scope)
          .update(oldObject, proposed, managerOf(options.fieldManager, context));
      }
      const operation = current === undefined ? "CREATE" : "UPDATE";
      await environment.admission.admit(attributesOf(admission, proposed, oldObject, operation));
      dedupOwnerReferences(proposed, true, context.warn);
      return scope.convertToStored(proposed);
    },
    updateOptions(admission, scope, context, environment, object.metadata.uid, false),
  )
    .catch(reverting(admission))
    .finally(ending(admission));
  const status = updated.created ? 201 : 200;
  return respondObject(status, updated.object, { scope, format, context, environment });
}
