import { fieldDuplicate, fieldInvalid, fieldNotSupported } from "../../../apimachinery/errors/field.ts";
import { listAt, objectAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";

const lists = [
  ["containerStatuses", "containers"],
  ["initContainerStatuses", "initContainers"],
  ["ephemeralContainerStatuses", "ephemeralContainers"],
] as const;
const healths: readonly string[] = ["Healthy", "Unhealthy", "Unknown"];
const claimPrefix = "claim:";

/** Validates the health of allocated resources in container statuses. */
export function addResourceHealth(errors: Findings, status: JsonObject, spec: JsonObject): void {
  for (const [statuses, containers] of lists) {
    const byName = new Map(
      listAt(spec, containers).map((container) => [textAt(container, "name"), container]),
    );
    listAt(status, statuses).forEach((container, i) => {
      const path = child(index(`status.${statuses}`, i), "allocatedResourcesStatus");
      const requested = byName.get(textAt(container, "name"));
      const claims = new Set(listAt(requested ?? {}, "resources", "claims").map(claimName));
      listAt(container, "allocatedResourcesStatus").forEach((resource, j) => {
        // Statuses of containers that are not in the spec are not checked.
        if (requested !== undefined)
          addUnlessRequested(errors, textAt(resource, "name"), requested, claims, index(path, j));
        addHealths(errors, listAt(resource, "resources"), child(index(path, j), "resources"));
      });
    });
  }
}

function addUnlessRequested(
  errors: Findings,
  name: string,
  container: JsonObject,
  claims: ReadonlySet<string>,
  path: string,
): void {
  const isClaim = name.startsWith(claimPrefix);
  const isAsked = isClaim
    ? claims.has(name)
    : objectAt(container, "resources", "requests")?.[name] !== undefined;
  if (isAsked) return;
  const detail = isClaim
    ? "must match one of the container's resource claims in a format 'claim:<claimName>/<request>' or 'claim:<claimName>' if request is empty"
    : "must match one of the container's resource requests";
  errors.push(fieldInvalid(child(path, "name"), name, detail));
}

function claimName(claim: JsonObject): string {
  const request = textAt(claim, "request");
  return `${claimPrefix}${textAt(claim, "name")}${request === "" ? "" : `/${request}`}`;
}

function addHealths(errors: Findings, resources: readonly JsonObject[], path: string): void {
  const ids = new Set<string>();
  resources.forEach((resource, i) => {
    const health = textAt(resource, "health");
    if (!healths.includes(health)) {
      errors.push(fieldNotSupported(child(index(path, i), "health"), health, healths));
    }
    const id = textAt(resource, "resourceID");
    if (ids.has(id)) errors.push(fieldDuplicate(child(index(path, i), "resourceID"), id));
    ids.add(id);
  });
}
