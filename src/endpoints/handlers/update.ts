import { shallowCopy } from "../../apimachinery/json.ts";
import { negotiateInput, negotiateOutput } from "../../codec/media-types/negotiation.ts";
import { readContent } from "../../codec/media-types/request-body.ts";
import { keepSentQuantities } from "../../schema/sent-quantities.ts";
import type { EndpointResponse } from "../contract/endpoint-response.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";
import { managerOf } from "../contract/field-managers.ts";
import type { ResourceContext, ResourceScope } from "../contract/scope.ts";
import { admissionRequest } from "../requests/admit.ts";
import { decodeBody } from "../requests/decode-body.ts";
import { agreeOnNamespace, checkName } from "../requests/object-names.ts";
import { dedupOwnerReferences } from "../requests/owner-references.ts";
import { parseWriteQuery } from "../requests/write-options.ts";
import { supported } from "./supported.ts";
import { writeObject } from "./write-object.ts";

/** PUT of an object, or of a subresource that is read like one. */
export async function handleUpdate(
  scope: ResourceScope,
  context: ResourceContext,
  environment: EndpointEnvironment,
): Promise<EndpointResponse> {
  const { request, query, info } = context;
  const update = supported(scope, "update");
  const format = negotiateOutput(request, query, scope.formats.objects);
  const mediaType = negotiateInput(request, scope.formats.mediaTypes);
  const content = await readContent(request);
  const options = parseWriteQuery(query, scope.gates, "UpdateOptions");
  const object = await decodeBody(content, mediaType, options.fieldValidation, scope, context, environment);
  agreeOnNamespace(object, scope, context);
  checkName(object, info.name);
  dedupOwnerReferences(object, context.warn);
  return writeObject(
    {
      update,
      format,
      admission: admissionRequest("UPDATE", scope, context, options, object.metadata.name),
      propose: () => {
        const proposed = keepSentQuantities(object, shallowCopy(object));
        proposed.metadata = shallowCopy(object.metadata);
        return proposed;
      },
      manager: scope.tracksFields ? managerOf(options.fieldManager, context) : undefined,
      uid: object.metadata.uid,
      forceCreate: false,
      keepsManagedFields: false,
    },
    scope,
    context,
    environment,
  );
}
