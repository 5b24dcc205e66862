import { fieldInvalid } from "../../../apimachinery/errors/field.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";

/** Rejects a path with an element `..`. */
export function addBacksteps(errors: Findings, path: string, field: string): void {
  if (hasBackstep(path)) errors.push(fieldInvalid(field, path, "must not contain '..'"));
}

/** Whether a path has an element `..`. */
export function hasBackstep(path: string): boolean {
  return path.split("/").includes("..");
}

/** Requires a relative path without `..`. */
export function addDescendingPath(errors: Findings, path: string, field: string): void {
  if (path.startsWith("/")) errors.push(fieldInvalid(field, path, "must be a relative path"));
  addBacksteps(errors, path, field);
}

/** Requires a relative path without `..` whose first element does not start with `..`, which the kubelet reserves. */
export function addNonReservedPath(errors: Findings, path: string, field: string): void {
  addDescendingPath(errors, path, field);
  if (path.startsWith("..") && !path.startsWith("../")) {
    errors.push(fieldInvalid(field, path, "must not start with '..'"));
  }
}
