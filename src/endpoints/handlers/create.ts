import { whenReady } from "../../apimachinery/awaitable.ts";
import type { Representations } from "../../codec/media-types/formats.ts";
import { negotiateInput, negotiateOutput } from "../../codec/media-types/negotiation.ts";
import { readContent } from "../../codec/media-types/request-body.ts";
import { wipeSystemFields } from "../../registry/contract/system-fields.ts";
import { convertObject, convertObjectToStored } from "../contract/conversion.ts";
import type { EndpointResponse } from "../contract/endpoint-response.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";
import { managerOf } from "../contract/field-managers.ts";
import type { ResourceContext, ResourceScope } from "../contract/scope.ts";
import {
  admissionRequest,
  admitChanges,
  attributesOf,
  ending,
  mutatingAttributesOf,
  reverting,
  validateAdmission,
} from "../requests/admit.ts";
import { decodeBody } from "../requests/decode-body.ts";
import { agreeOnNamespace } from "../requests/object-names.ts";
import { dedupAdmittedOwnerReferences, dedupOwnerReferences } from "../requests/owner-references.ts";
import { prepareWrite } from "../requests/prepare-write.ts";
import { parseWriteQuery } from "../requests/write-options.ts";
import { respondAnswer } from "../responses/respond.ts";
import { supported } from "./supported.ts";

/** POST to a collection, or to a subresource that creates objects. */
export async function handleCreate(
  scope: ResourceScope,
  context: ResourceContext,
  environment: EndpointEnvironment,
): Promise<EndpointResponse> {
  const { request, query, info } = context;
  const create = supported(scope, "create");
  const format = negotiateOutput(request, query, shapesOf(scope));
  const mediaType = negotiateInput(request, scope.formats.mediaTypes);
  const content = await readContent(request);
  const options = parseWriteQuery(query, scope.gates, "CreateOptions");
  let object = await decodeBody(content, mediaType, options.fieldValidation, scope, context, environment);
  if (!scope.rest.preservesSystemFields) wipeSystemFields(object);
  agreeOnNamespace(object, scope, context);
  dedupOwnerReferences(object, context.warn);
  const manager = scope.tracksFields ? managerOf(options.fieldManager, context) : undefined;
  object = await prepareWrite(object, undefined, {
    scope,
    fieldManagers: environment.fieldManagers,
    manager,
  });

  const admission = admissionRequest("CREATE", scope, context, options, object.metadata.name);
  await admitChanges(mutatingAttributesOf(admission, object, undefined), environment);
  dedupAdmittedOwnerReferences(object, context.warn);
  const name = info.name !== "" ? info.name : (object.metadata.name ?? "");
  const createStored = async () =>
    create({ namespace: info.namespace, name }, await convertObjectToStored(scope.conversion, object), {
      user: context.user,
      dryRun: options.dryRun,
      now: context.now,
      warn: context.warn,
      validateAdmission: (stored) =>
        whenReady(convertObject(scope.conversion, stored), (shown) =>
          validateAdmission(attributesOf(admission, shown, undefined), environment),
        ),
    });
  const created = await createStored().catch(reverting(admission)).finally(ending(admission));
  return respondAnswer(201, created, { scope, format, context, environment });
}

/** What can only be created has no table (apiserver, pkg/endpoints/handlers/rest.go: AllowsMediaTypeTransform). */
function shapesOf({ rest, formats }: ResourceScope): Representations {
  return rest.list === undefined && rest.get === undefined ? formats.untabled : formats.objects;
}
