import { fieldInvalid } from "../../apimachinery/errors/field.ts";
import { go } from "../../apimachinery/go/go-value.ts";
import { qualifiedNameMessages } from "../../apimachinery/validation/qualified-names.ts";
import type { Findings } from "../findings/findings.ts";

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

/** Pages of memory of one size: `hugepages-2Mi`. */
export function isHugePages(name: string): boolean {
  return name.startsWith("hugepages-");
}

/** A resource of Kubernetes' own, which has no prefix or one of its domain. */
export function isNativeResource(name: string): boolean {
  return !name.includes("/") || name.includes("kubernetes.io/");
}

/** A resource that somebody else brings, for example `example.com/gpu`. */
export function isExtendedResource(name: string): boolean {
  if (isNativeResource(name) || name.startsWith("requests.")) return false;
  return qualifiedNameMessages(`requests.${name}`).length === 0;
}

/** A resource that is handed out whole. */
export function isIntegerResource(name: string): boolean {
  return countedResources.has(name) || isExtendedResource(name);
}

/** Whether more may be promised of it than there is. */
export function allowsOvercommit(name: string): boolean {
  return isNativeResource(name) && !isHugePages(name);
}

/** Finds what is wrong with the name of a resource. */
export type ResourceNameValidator = (errors: Findings, name: string, field: string) => void;

/** What is wrong with the name of a resource, wherever it stands; whether nothing is. */
export function addResourceName(errors: Findings, name: string, field: string): void {
  const messages = qualifiedNameMessages(name);
  for (const message of messages) errors.push(fieldInvalid(field, go.stringer(name), message));
  if (messages.length > 0 || name.includes("/") || isStandardResource(name)) return;
  errors.push(fieldInvalid(field, go.stringer(name), "must be a standard resource type or fully qualified"));
}

function isStandardResource(name: string): boolean {
  return standardResources.has(name) || isHugePages(name) || name.startsWith("requests.hugepages-");
}

/** What is wrong with the name of something that a container asks for. */
export const addContainerResourceName: ResourceNameValidator = (errors, name, field) => {
  addResourceName(errors, name, field);
  if (!name.includes("/")) {
    if (containerResources.has(name) || isHugePages(name)) return;
    errors.push(fieldInvalid(field, go.stringer(name), "must be a standard resource for containers"));
  } else if (!isNativeResource(name) && !isExtendedResource(name)) {
    errors.push(fieldInvalid(field, go.stringer(name), "doesn't follow extended resource name standard"));
  }
};
