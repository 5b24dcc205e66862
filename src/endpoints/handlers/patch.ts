import type { Awaitable } from "../../apimachinery/awaitable.ts";
import { notFound } from "../../apimachinery/errors/errors.ts";
import type { KubeObject, MutableKubeObject } from "../../apimachinery/object-meta.ts";
import { negotiateOutput } from "../../codec/media-types/negotiation.ts";
import { isApplyType, patchTypeOf } from "../../codec/media-types/patch-types.ts";
import { bytesOfContent, readContent } from "../../codec/media-types/request-body.ts";
import type { EndpointResponse } from "../contract/endpoint-response.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";
import { managerOf } from "../contract/field-managers.ts";
import type { ResourceContext, ResourceScope } from "../contract/scope.ts";
import { applyMechanism } from "../patches/apply-patch.ts";
import { type PatchMechanism, patchMechanism } from "../patches/patch-mechanism.ts";
import { admissionRequest } from "../requests/admit.ts";
import { agreeOnNamespace, checkName } from "../requests/object-names.ts";
import { parseWriteQuery } from "../requests/write-options.ts";
import { supported } from "./supported.ts";
import { writeObject } from "./write-object.ts";

/**
 * PATCH of an object, or of a subresource that is read like one. The update applies the patch to the current object,
 * so a concurrent write makes it fail only if the patch sets a resourceVersion.
 */
export async function handlePatch(
  scope: ResourceScope,
  context: ResourceContext,
  environment: EndpointEnvironment,
): Promise<EndpointResponse> {
  const { request, query, info } = context;
  const update = supported(scope, "update");
  const patchType = patchTypeOf(request, scope.formats.patchTypes);
  const format = negotiateOutput(request, query, scope.formats.objects);
  const content = await readContent(request);
  const isApply = isApplyType(patchType);
  const options = parseWriteQuery(query, scope.gates, "PatchOptions", isApply ? "apply" : "other");
  const { fieldValidation } = options;
  const view = environment.served.current;
  const fields = environment.fieldManagers.of(scope);
  const manager = managerOf(options.fieldManager, context);
  const patching = { scope, context, view, fieldValidation };
  const applying = { fields, manager, force: options.force === true ? "forced" : "careful" } as const;
  const mechanism = isApply
    ? await applyMechanism(patchType, bytesOfContent(content), patching, applying)
    : patchMechanism(patchType, content, patching);

  return writeObject(
    {
      update,
      format,
      admission: admissionRequest("UPDATE", scope, context, options),
      propose: async (current) => {
        const object = await patchedObject(mechanism, current, scope, info.name);
        agreeOnNamespace(object, scope, context);
        checkName(object, info.name);
        return object;
      },
      manager: isApply || !scope.tracksFields ? undefined : manager,
      uid: undefined,
      forceCreate: isApply && scope.subresource === undefined,
      keepsManagedFields: isApply,
    },
    scope,
    context,
    environment,
  );
}

/** @throws {StatusError} notFound if there is nothing to patch, and the errors of the patch */
function patchedObject(
  mechanism: PatchMechanism,
  current: KubeObject | undefined,
  scope: ResourceScope,
  name: string,
): Awaitable<MutableKubeObject> {
  if (current !== undefined) return mechanism.patch(current);
  if (mechanism.create === undefined) throw notFound(scope.rest.definition.groupResource, name);
  return mechanism.create();
}
