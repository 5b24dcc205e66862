import { fieldInvalid } from "../../../apimachinery/errors/field.ts";
import type { Findings } from "../../findings/findings.ts";

/** A path that may not climb: `..` is not among its elements. */
export function addBacksteps(errors: Findings, path: string, field: string): void {
  if (climbs(path)) errors.push(fieldInvalid(field, path, "must not contain '..'"));
}

/** Whether `..` is an element of a path. */
export function climbs(path: string): boolean {
  return path.split("/").includes("..");
}

/** A path below a directory that is not known yet. */
export function addDescendingPath(errors: Findings, path: string, field: string): void {
  if (path.startsWith("/")) errors.push(fieldInvalid(field, path, "must be a relative path"));
  addBacksteps(errors, path, field);
}

/** A path below a directory, whose first element does not begin with the dots that are kept for the kubelet. */
export function addLocalPath(errors: Findings, path: string, field: string): void {
  addDescendingPath(errors, path, field);
  if (path.startsWith("..") && !path.startsWith("../")) {
    errors.push(fieldInvalid(field, path, "must not start with '..'"));
  }
}
