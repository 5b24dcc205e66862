import { fieldInvalid } from "../../apimachinery/errors/field.ts";
import { go } from "../../apimachinery/go/go-value.ts";
import type { Findings } from "../../apimachinery/validation/findings.ts";
import { qualifiedNameMessages } from "../../apimachinery/validation/qualified-names.ts";

const standardResources: ReadonlySet<string> = new Set([
  "cpu",
  "memory",
  "ephemeral-storage",
  "requests.cpu",
  "requests.memory",
  "requests.ephemeral-storage",
  "limits.cpu",
  "limits.memory",
  "limits.ephemeral-storage",
  "pods",
  "resourcequotas",
  "services",
  "replicationcontrollers",
  "secrets",
  "configmaps",
  "persistentvolumeclaims",
  "storage",
  "requests.storage",
  "services.nodeports",
  "services.loadbalancers",
]);
const containerResources: ReadonlySet<string> = new Set(["cpu", "memory", "ephemeral-storage"]);
const countedResources: ReadonlySet<string> = new Set([
  "pods",
  "resourcequotas",
  "services",
  "replicationcontrollers",
  "secrets",
  "configmaps",
  "persistentvolumeclaims",
  "services.nodeports",
  "services.loadbalancers",
]);

/** Whether a resource is huge pages of one size, such as `hugepages-2Mi`. */
export function isHugePages(name: string): boolean {
  return name.startsWith("hugepages-");
}

/** Whether a resource is native: its name has no prefix, or one in the domain kubernetes.io. */
export function isNativeResource(name: string): boolean {
  return !name.includes("/") || name.includes("kubernetes.io/");
}

/** Whether a resource is an extended resource such as `example.com/gpu`. */
export function isExtendedResource(name: string): boolean {
  if (isNativeResource(name) || name.startsWith("requests.")) return false;
  return qualifiedNameMessages(`requests.${name}`).length === 0;
}

/** Whether a resource has integer quantities only. */
export function isIntegerResource(name: string): boolean {
  return countedResources.has(name) || isExtendedResource(name);
}

/** Whether limits of a resource can exceed its requests. */
export function allowsOvercommit(name: string): boolean {
  return isNativeResource(name) && !isHugePages(name);
}

/** Validates a resource name. */
export type ResourceNameValidator = (errors: Findings, name: string, field: string) => void;

/** Validates a resource name. Returns whether it is valid. */
export function addResourceName(errors: Findings, name: string, field: string): void {
  const messages = qualifiedNameMessages(name);
  for (const message of messages) errors.push(fieldInvalid(field, go.stringer(name), message));
  if (messages.length > 0 || name.includes("/") || isStandardResource(name)) return;
  errors.push(fieldInvalid(field, go.stringer(name), "must be a standard resource type or fully qualified"));
}

function isStandardResource(name: string): boolean {
  return standardResources.has(name) || isHugePages(name) || name.startsWith("requests.hugepages-");
}

/** Validates the name of a resource of a container. */
export const addContainerResourceName: ResourceNameValidator = (errors, name, field) => {
  addResourceName(errors, name, field);
  if (!name.includes("/")) {
    if (containerResources.has(name) || isHugePages(name)) return;
    errors.push(fieldInvalid(field, go.stringer(name), "must be a standard resource for containers"));
  } else if (!isNativeResource(name) && !isExtendedResource(name)) {
    errors.push(fieldInvalid(field, go.stringer(name), "doesn't follow extended resource name standard"));
  }
};
