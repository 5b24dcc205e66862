import type { JsonObject } from "../../apimachinery/json.ts";

/** The options of a write as the client gave them. What it did not give is undefined or empty. */
export interface OperationOptions {
  readonly dryRun: boolean;
  readonly fieldManager?: string;
  /** As sent, without the default. */
  readonly sentFieldValidation?: string;
  readonly gracePeriodSeconds?: number | undefined;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly orphanDependents?: boolean | undefined;
  readonly propagationPolicy?: string | undefined;
}

/**
 * The options in the form of reviews and expressions. Those of a patch have the kind of the operation that it is. Upstream:
 * apiserver, pkg/endpoints/handlers/patch.go, patchToUpdateOptions.
 */
export function optionsObject(
  operation: "CREATE" | "UPDATE" | "DELETE",
  options: OperationOptions,
): JsonObject {
  const { dryRun, fieldManager = "", sentFieldValidation = "" } = options;
  const { gracePeriodSeconds, preconditions = {}, orphanDependents, propagationPolicy } = options;
  const kinds = { CREATE: "CreateOptions", UPDATE: "UpdateOptions", DELETE: "DeleteOptions" };
  const all = dryRun && { dryRun: ["All"] };
  const typeMeta = { kind: kinds[operation], apiVersion: "meta.k8s.io/v1" };
  if (operation === "DELETE") {
    return {
      ...typeMeta,
      ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
      ...(Object.keys(preconditions).length > 0 && { preconditions }),
      ...(orphanDependents !== undefined && { orphanDependents }),
      ...(propagationPolicy !== undefined && { propagationPolicy }),
      ...all,
    };
  }
  return {
    ...typeMeta,
    ...all,
    ...(fieldManager !== "" && { fieldManager }),
    ...(sentFieldValidation !== "" && { fieldValidation: sentFieldValidation }),
  };
}
