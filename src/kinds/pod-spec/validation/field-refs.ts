import { fieldInvalid, fieldNotSupported, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { parseQuantity } from "../../../apimachinery/quantity.ts";
import { child } from "../../../apimachinery/validation/field-path.ts";
import { addQualifiedName, type Findings } from "../../../apimachinery/validation/findings.ts";
import { isHugePageRef } from "./huge-page-refs.ts";
import type { PodValidationOptions } from "./pod-validation-options.ts";

const containerResources = [
  "limits.cpu",
  "limits.ephemeral-storage",
  "limits.memory",
  "requests.cpu",
  "requests.ephemeral-storage",
  "requests.memory",
];

/** The fields of a pod that the downward API supports, besides labels and annotations. */
const podFields: ReadonlySet<string> = new Set([
  "metadata.annotations",
  "metadata.labels",
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
  "spec.nodeName",
  "spec.restartPolicy",
  "spec.serviceAccountName",
  "spec.schedulerName",
  "status.phase",
  "status.hostIP",
  "status.hostIPs",
  "status.podIP",
  "status.podIPs",
]);

/** Validates a reference to a field of the pod; `supported` are the permitted fields in sorted order. */
export function addFieldRef(
  errors: Findings,
  ref: JsonObject,
  supported: readonly string[],
  path: string,
): void {
  const version = textAt(ref, "apiVersion");
  const label = textAt(ref, "fieldPath");
  if (version === "" || label === "") {
    errors.push(fieldRequired(child(path, version === "" ? "apiVersion" : "fieldPath")));
    return;
  }
  const problem = labelProblem(version, label);
  if (problem !== undefined) {
    errors.push(fieldInvalid(child(path, "fieldPath"), label, `error converting fieldPath: ${problem}`));
    return;
  }
  const subscript = subscripted(label);
  if (subscript !== undefined) addSubscript(errors, subscript, path);
  else {
    const field = label === "spec.host" ? "spec.nodeName" : label;
    if (!supported.includes(field)) {
      errors.push(fieldNotSupported(child(path, "fieldPath"), field, supported));
    }
  }
}

function addSubscript(errors: Findings, { field, key }: Subscript, path: string): void {
  if (field === "metadata.annotations") addQualifiedName(errors, key.toLowerCase(), path);
  else addQualifiedName(errors, key, path);
}

interface Subscript {
  readonly field: string;
  readonly key: string;
}

/** The parts of `metadata.labels['app']`; undefined for a plain field. */
function subscripted(label: string): Subscript | undefined {
  if (!label.endsWith("']")) return undefined;
  const at = label.indexOf("['");
  if (at <= 0 || at + 4 > label.length) return undefined;
  return { field: label.slice(0, at), key: label.slice(at + 2, -2) };
}

/** Why the downward API does not support a field. */
function labelProblem(version: string, label: string): string | undefined {
  if (version !== "v1") return `unsupported pod version: ${version}`;
  const subscript = subscripted(label);
  if (subscript !== undefined) {
    const { field } = subscript;
    if (field === "metadata.annotations" || field === "metadata.labels") return undefined;
    return `field label does not support subscript: ${label}`;
  }
  if (podFields.has(label) || label === "spec.host") return undefined;
  return `field label not supported: ${label}`;
}

/** Validates a reference to a container resource. Only in volumes the container name is required. */
export function addResourceFieldRef(
  errors: Findings,
  ref: JsonObject,
  path: string,
  where: "inVolume" | "inContainer",
  { allowsHugePageRefs }: Pick<PodValidationOptions, "allowsHugePageRefs">,
): void {
  const resource = textAt(ref, "resource");
  if (where === "inVolume" && !textAt(ref, "containerName")) {
    errors.push(fieldRequired(child(path, "containerName")));
  } else if (resource === "") {
    errors.push(fieldRequired(child(path, "resource")));
  } else if (!containerResources.includes(resource) && !(allowsHugePageRefs && isHugePageRef(resource))) {
    errors.push(fieldNotSupported(child(path, "resource"), resource, containerResources));
  }
  addDivisor(errors, resource, textAt(ref, "divisor"), path);
}

const bytes = ["1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei"];

function addDivisor(errors: Findings, resource: string, divisor: string, path: string): void {
  if (divisor === "" || parseQuantity(divisor).sign === 0) return;
  const unit = unitOf(resource);
  if (unit === undefined || unit.divisors.includes(parseQuantity(divisor).toString())) return;
  const values = unit.name === "cpu" ? "1m and 1" : bytes.join(", ");
  const detail = `only divisor's values ${values} are supported with the ${unit.name} resource`;
  errors.push(fieldInvalid(child(path, "divisor"), resource, detail));
}

function unitOf(
  resource: string,
): { readonly name: string; readonly divisors: readonly string[] } | undefined {
  if (isHugePageRef(resource)) return { name: "hugepages", divisors: bytes };
  switch (resource.slice(resource.indexOf(".") + 1)) {
    case "cpu":
      return { name: "cpu", divisors: ["1m", "1"] };
    case "memory":
      return { name: "memory", divisors: bytes };
    case "ephemeral-storage":
      return { name: "local ephemeral storage", divisors: bytes };
    default:
      return undefined;
  }
}
