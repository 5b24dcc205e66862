import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { Status } from "../../apimachinery/status.ts";
import { negotiateOutput } from "../../codec/media-types/negotiation.ts";
import type { Answer, Deleted, DeleteOptions } from "../../registry/contract/rest.ts";
import type { Interventions } from "../../scenario/interventions.ts";
import type { EndpointResponse } from "../contract/endpoint-response.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";
import type { ResourceContext, ResourceScope } from "../contract/scope.ts";
import { admissionRequest, admitDeletion } from "../requests/admit.ts";
import { parseDeleteOptions } from "../requests/delete-options.ts";
import { respondAnswer } from "../responses/respond.ts";
import { supported } from "./supported.ts";

/** DELETE of one object. */
export async function handleDelete(
  scope: ResourceScope,
  context: ResourceContext,
  environment: EndpointEnvironment,
): Promise<EndpointResponse> {
  const { request, query, info } = context;
  const remove = supported(scope, "delete");
  const format = negotiateOutput(request, query, scope.formats.objects);
  const options = await parseDeleteOptions(context, environment);
  const admission = admissionRequest("DELETE", scope, context, options);
  const key = { namespace: info.namespace, name: info.name };
  const deletion: DeleteOptions = {
    ...options,
    user: context.user,
    now: context.now,
    warn: context.warn,
    validateAdmission: (old, grace) => admitDeletion(admission, old, grace, scope, environment),
  };
  const answering = { scope, format, context, environment };
  if (options.ignoresReadError) {
    // Few clusters have objects that cannot be read, so the code for that is loaded on demand.
    const { unsafeDeleter, unseenStatus } = await import("../requests/unsafe-delete.ts");
    const removeUnread = await unsafeDeleter(scope, context, environment);
    await removeUnread(key, deletion);
    return respondAnswer(200, { status: unseenStatus(scope, info.name) }, answering);
  }
  const deleted = await remove(key, deletion);
  // Clients before 1.7 took 200 to mean that the object is gone, so clients that still send orphanDependents get 202 if
  // it is not.
  const isAccepted = options.orphanDependents === false && !deleted.immediate;
  const answer = answerOf(deleted, scope, environment.interventions);
  return respondAnswer(isAccepted ? 202 : 200, answer, answering);
}

function answerOf(deleted: Deleted, scope: ResourceScope, { deleteReturns }: Interventions): Answer {
  const { object, immediate } = deleted;
  const usual = deleted.returnsObject ? "object" : "status";
  const returned = immediate && deleteReturns !== undefined ? deleteReturns(usual) : usual;
  return returned === "object" ? { object } : { status: removedStatus(scope, object.value) };
}

/** A Status about a removed object. Its `kind` is the name of the resource. */
function removedStatus({ rest }: ResourceScope, { metadata }: KubeObject): Status {
  const { group, resource: kind } = rest.definition.groupResource;
  const { name = "", uid = "" } = metadata;
  const details = { name, ...(group !== "" && { group }), kind, uid };
  return { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", details };
}
