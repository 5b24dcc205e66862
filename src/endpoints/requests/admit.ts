import type { AdmissionAttributes, AdmissionOperation } from "../../admission/contract/admission.ts";
import { SideEffects } from "../../admission/contract/side-effects.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { convertObject } from "../contract/conversion.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";
import type { ResourceContext, ResourceScope } from "../contract/scope.ts";

/** What admission is told of a write, apart from the objects. */
export type AdmissionRequest = Omit<AdmissionAttributes, "object" | "oldObject">;

/** The attributes of a write to this scope. */
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
 * The attributes with what the write is about. They are written out because one write asks many times: a copy with
 * something added to it takes a hundred times as long.
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

/** For a write that fails: nothing is left of what admission has done for it. */
export function reverting({ sideEffects }: AdmissionRequest): (error: unknown) => Promise<never> {
  return async (error) => {
    await sideEffects.revert();
    throw error;
  };
}

/** For a write that is over: others may write. */
export function ending({ sideEffects }: AdmissionRequest): () => void {
  return () => sideEffects.end();
}

/** Asks the validating phase; once more if what it was asked before has come to nothing. */
export function validateAdmission(
  attributes: AdmissionAttributes,
  { admission }: EndpointEnvironment,
): Promise<void> | void {
  const { sideEffects } = attributes;
  if (sideEffects.isEmpty) return admission.validate(attributes);
  return sideEffects.revert().then(() => admission.validate(attributes));
}

/** Asks both phases of admission about the deletion of a stored object: there is nothing to change between them. */
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
