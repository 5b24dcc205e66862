import type { AdmissionAttributes, AdmissionOperation } from "../../admission/contract/admission.ts";
import { SideEffects } from "../../admission/contract/side-effects.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { convertObject } from "../contract/conversion.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";
import type { ResourceContext, ResourceScope } from "../contract/scope.ts";

/** The admission attributes of a write without its objects. */
export type AdmissionRequest = Omit<AdmissionAttributes, "object" | "oldObject">;

/** The admission attributes of a write to this scope. */
export function admissionRequest(
  operation: AdmissionOperation,
  scope: ResourceScope,
  context: ResourceContext,
  { dryRun, object }: Pick<AdmissionAttributes, "dryRun"> & { readonly object?: KubeObject },
): AdmissionRequest {
  const { group, version, resource } = scope.resource;
  return {
    operation,
    gvk: scope.gvk,
    gvr: { group, version, resource },
    subresource: scope.subresource?.name ?? "",
    namespace: context.info.namespace,
    name: context.info.name !== "" ? context.info.name : (object?.metadata.name ?? ""),
    dryRun,
    user: context.user,
    warn: context.warn,
    sideEffects: new SideEffects(),
  };
}

/**
 * The attributes with the objects of a write. The members are listed because a spread takes a hundred times as long,
 * and one write calls this many times.
 */
export function attributesOf<T extends KubeObject | undefined>(
  request: AdmissionRequest,
  object: T,
  oldObject: KubeObject | undefined,
  operation: AdmissionOperation = request.operation,
): AdmissionAttributes & { readonly object: T } {
  const { gvk, gvr, subresource, namespace, name, dryRun, user, warn, sideEffects } = request;
  return {
    operation,
    gvk,
    gvr,
    subresource,
    namespace,
    name,
    object,
    oldObject,
    dryRun,
    user,
    warn,
    sideEffects,
  };
}

/** Reverts the side effects of admission after a failed write. */
export function reverting({ sideEffects }: AdmissionRequest): (error: unknown) => Promise<never> {
  return async (error) => {
    await sideEffects.revert();
    throw error;
  };
}

/** Ends the side effects of admission after a write, so that other writes can proceed. */
export function ending({ sideEffects }: AdmissionRequest): () => void {
  return () => sideEffects.end();
}

/** Runs the validating phase, and reverts the side effects of an earlier run first. */
export function validateAdmission(
  attributes: AdmissionAttributes,
  { admission }: EndpointEnvironment,
): Promise<void> | void {
  const { sideEffects } = attributes;
  if (sideEffects.isEmpty) return admission.validate(attributes);
  return sideEffects.revert().then(() => admission.validate(attributes));
}

/** Runs both phases of admission for the deletion of a stored object. There is nothing to change between them. */
export async function admitDeletion(
  admission: AdmissionRequest,
  stored: KubeObject,
  { conversion }: ResourceScope,
  { admission: chain }: EndpointEnvironment,
): Promise<void> {
  const converted = convertObject(conversion, stored);
  const oldObject = converted instanceof Promise ? await converted : converted;
  const attributes = attributesOf(admission, undefined, oldObject);
  await chain.admit(attributes);
  await chain.validate(attributes);
}
