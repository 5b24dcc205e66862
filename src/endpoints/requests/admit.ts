import type {
  AdmissionAttributes,
  AdmissionOperation,
  MutatingAttributes,
} from "../../admission/contract/admission.ts";
import type { OperationOptions } from "../../admission/contract/operation-options.ts";
import { SideEffects } from "../../admission/contract/side-effects.ts";
import type { JsonValue } from "../../apimachinery/json.ts";
import type { KubeObject, MutableKubeObject } from "../../apimachinery/object-meta.ts";
import { managedFieldsProblem } from "../../patch/apply/field-manager.ts";
import { convertObject } from "../contract/conversion.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";
import type { ResourceContext, ResourceScope } from "../contract/scope.ts";
import { deadlineOf } from "./timeout.ts";

/** The admission attributes of a write without its objects; `form` is their form in the validating phase. */
export type AdmissionRequest = Omit<AdmissionAttributes, "object" | "oldObject">;

/** The admission attributes of a write to this scope. `name` is that of the object, for a path without one. */
export function admissionRequest(
  operation: AdmissionOperation,
  scope: ResourceScope,
  context: ResourceContext,
  options: OperationOptions | undefined,
  name = "",
): AdmissionRequest {
  const { group, resource } = scope.resource;
  const named = context.info.name !== "" ? context.info.name : name;
  // A new namespace counts as a request in itself (apiserver, pkg/endpoints/handlers/create.go).
  const isNamespace = group === "" && resource === "namespaces" && context.info.namespace === "";
  return {
    operation,
    gvk: scope.gvk,
    gvr: scope.resource,
    subresource: scope.subresource?.name ?? "",
    namespace: isNamespace ? named : context.info.namespace,
    name: named,
    dryRun: options?.dryRun ?? false,
    options,
    user: context.user,
    warn: context.warn,
    sideEffects: new SideEffects(),
    notes: context.notes,
    deadline: operation === "CONNECT" ? Number.POSITIVE_INFINITY : deadlineOf(context.query, context.now),
    // What is stored is validated as it is stored; what is not is validated as it was decoded.
    form: scope.rest.latest === undefined ? "decoded" : "canonical",
  };
}

/** The attributes of the mutating phase. */
export function mutatingAttributesOf(
  request: AdmissionRequest,
  object: MutableKubeObject | undefined,
  oldObject: KubeObject | undefined,
  operation: AdmissionOperation = request.operation,
): MutatingAttributes {
  const {
    gvk,
    gvr,
    subresource,
    namespace,
    name,
    dryRun,
    options,
    user,
    warn,
    sideEffects,
    notes,
    deadline,
  } = request;
  return {
    operation,
    gvk,
    gvr,
    subresource,
    namespace,
    name,
    object,
    oldObject,
    form: "decoded",
    dryRun,
    options,
    user,
    warn,
    sideEffects,
    notes,
    deadline,
    reinvocation: undefined,
  };
}

/**
 * The attributes of the validating phase; an object that is created has its generated name. The members are listed because a
 * spread takes a hundred times as long, and one write calls this many times.
 */
export function attributesOf(
  request: AdmissionRequest,
  object: KubeObject | undefined,
  oldObject: KubeObject | undefined,
  operation: AdmissionOperation = request.operation,
): AdmissionAttributes {
  const {
    gvk,
    gvr,
    subresource,
    namespace,
    form,
    dryRun,
    options,
    user,
    warn,
    sideEffects,
    notes,
    deadline,
  } = request;
  const name = request.name !== "" ? request.name : (object?.metadata.name ?? "");
  return {
    operation,
    gvk,
    gvr,
    subresource,
    namespace,
    name,
    object,
    oldObject,
    form,
    dryRun,
    options,
    user,
    warn,
    sideEffects,
    notes,
    deadline,
  };
}

/** Runs the mutating phase for an object, and undoes what it does to managedFields if they cannot be read afterwards. */
export function admitChanges(
  attributes: MutatingAttributes,
  { admission }: Pick<EndpointEnvironment, "admission">,
): Promise<void> | void {
  const before = attributes.object?.metadata["managedFields"];
  const pending = admission.admit(attributes);
  if (pending === undefined) return undoManagedFields(attributes, before);
  return pending.then(() => undoManagedFields(attributes, before));
}

/** Upstream: apiserver, pkg/endpoints/handlers/fieldmanager/admission.go. */
function undoManagedFields({ object, warn }: MutatingAttributes, before: JsonValue | undefined): void {
  const after = object?.metadata["managedFields"];
  if (object === undefined || after === before) return;
  const problem = managedFieldsProblem(after);
  if (problem === undefined) return;
  if (before === undefined) delete object.metadata["managedFields"];
  else object.metadata["managedFields"] = before;
  warn(
    `.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests: ${problem}`,
  );
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

/**
 * Runs both phases of admission for the deletion of a stored object. There is nothing to change between them.
 * `gracePeriodSeconds` is the one that the kind decided on, if it has one.
 */
export async function admitDeletion(
  admission: AdmissionRequest,
  stored: KubeObject,
  gracePeriodSeconds: number | undefined,
  { conversion }: ResourceScope,
  { admission: chain }: EndpointEnvironment,
): Promise<void> {
  const converted = convertObject(conversion, stored);
  const oldObject = converted instanceof Promise ? await converted : converted;
  const { options } = admission;
  const decided =
    gracePeriodSeconds === undefined || options === undefined
      ? admission
      : { ...admission, options: { ...options, gracePeriodSeconds } };
  const attributes = mutatingAttributesOf(decided, undefined, oldObject);
  await chain.admit(attributes);
  await chain.validate(attributes);
}
