import type { Awaitable } from "../../apimachinery/awaitable.ts";
import type { KubeObject, MutableKubeObject } from "../../apimachinery/object-meta.ts";
import type { OutputFormat } from "../../codec/media-types/output-format.ts";
import type { Rest, UpdateOptions } from "../../registry/contract/rest.ts";
import { convertObject, convertObjectToStored } from "../contract/conversion.ts";
import type { EndpointResponse } from "../contract/endpoint-response.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";
import type { ResourceContext, ResourceScope } from "../contract/scope.ts";
import {
  type AdmissionRequest,
  admitChanges,
  ending,
  mutatingAttributesOf,
  reverting,
} from "../requests/admit.ts";
import { dedupAdmittedOwnerReferences } from "../requests/owner-references.ts";
import { prepareWrite } from "../requests/prepare-write.ts";
import { updateOptions } from "../requests/update-options.ts";
import { respondObject } from "../responses/respond.ts";

/** A PUT or a PATCH, once its body is read. */
export interface ObjectWrite extends Pick<UpdateOptions, "uid" | "forceCreate" | "keepsManagedFields"> {
  readonly update: NonNullable<Rest["update"]>;
  readonly admission: AdmissionRequest;
  readonly format: OutputFormat;
  /**
   * The object to write in place of `current`, in the version of the endpoint. It is called again with the newer object
   * after a lost race, and each call returns an object of its own, whose metadata may be changed.
   */
  readonly propose: (current: KubeObject | undefined) => Awaitable<MutableKubeObject>;
  /** The manager that owns what the write changes; undefined where the proposal has its managedFields already. */
  readonly manager: string | undefined;
}

/** Writes an object and answers it: 201 if the write created it. */
export async function writeObject(
  write: ObjectWrite,
  scope: ResourceScope,
  context: ResourceContext,
  environment: EndpointEnvironment,
): Promise<EndpointResponse> {
  const { update, admission, format } = write;
  const { namespace, name } = context.info;
  const updated = await update(
    { namespace, name },
    (current) => admittedProposal(write, current, scope, context, environment),
    updateOptions(admission, scope, context, environment, write),
  )
    .catch(reverting(admission))
    .finally(ending(admission));
  const status = updated.created ? 201 : 200;
  return respondObject(status, updated.object, { scope, format, context, environment });
}

/** The proposal after mutating admission, in the stored version. */
async function admittedProposal(
  { propose, manager, admission }: ObjectWrite,
  current: KubeObject | undefined,
  scope: ResourceScope,
  context: ResourceContext,
  { fieldManagers, admission: chain }: EndpointEnvironment,
): Promise<MutableKubeObject> {
  const old = current && (await convertObject(scope.conversion, current));
  const object = await prepareWrite(await propose(old), old, { scope, fieldManagers, manager });
  const operation = old === undefined ? "CREATE" : "UPDATE";
  await admitChanges(mutatingAttributesOf(admission, object, old, operation), { admission: chain });
  dedupAdmittedOwnerReferences(object, context.warn);
  return convertObjectToStored(scope.conversion, object);
}
