import { fieldForbidden, fieldInvalid, fieldNotSupported } from "../../../apimachinery/errors/field.ts";
import { listAt, objectAt, textAt } from "../../../apimachinery/fields.ts";
import { go } from "../../../apimachinery/go/go-value.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { child, index, key } from "../../../apimachinery/validation/field-path.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import { amountsOf, amountsOfContainers, isPodLevelResource } from "../../quantities/resource-amounts.ts";
import { addResourceName, isHugePages, type ResourceNameValidator } from "../../quantities/resource-names.ts";
import { addResourceRequirements } from "../../quantities/resources.ts";
import type { ContainerRules } from "./container.ts";

/** Validates pod-level resources. */
export function addPodLevelResources(
  errors: Findings,
  spec: JsonObject,
  path: string,
  { claimNames, options }: ContainerRules,
): void {
  const resources = objectAt(spec, "resources");
  if (resources === undefined || !options.gates.isEnabled("PodLevelResources")) return;
  if (textAt(spec, "os", "name") === "windows") {
    errors.push(fieldForbidden(path, "may not be set for a windows pod"));
    return;
  }
  if (resources["claims"] !== undefined) {
    errors.push(fieldForbidden(child(path, "claims"), "claims cannot be set for Resources at pod-level"));
  }
  const { allowsIndivisibleHugePages } = options;
  const rules = { addName: addPodResourceName, claimNames, allowsIndivisibleHugePages };
  addResourceRequirements(errors, resources, path, rules);
  addAggregates(errors, spec, path);
  addContainerLimits(errors, spec, path);
}

const addPodResourceName: ResourceNameValidator = (errors, name, field) => {
  const before = errors.length;
  addResourceName(errors, name, field);
  if (errors.length > before || isPodLevelResource(name)) return;
  errors.push(fieldNotSupported(field, go.stringer(name), ["cpu", "hugepages-", "memory"]));
};

/** The pod's requests must cover those of its containers. Only the limits of huge pages are summed up. */
function addAggregates(errors: Findings, spec: JsonObject, path: string): void {
  for (const list of ["requests", "limits"] as const) {
    const own = amountsOf(spec, list);
    for (const [name, amount] of amountsOfContainers(spec, list)) {
      const ofPod = own.get(name);
      if (ofPod === undefined || amount.compare(ofPod) <= 0) continue;
      if (list === "limits" && !isHugePages(name)) continue;
      const detail = `must be greater than or equal to aggregate container ${list} of ${amount}`;
      errors.push(fieldInvalid(key(child(path, list), name), ofPod.toString(), detail));
    }
  }
}

/** The limit of a container must not exceed that of the pod. Upstream's path for containers is below the resources. */
function addContainerLimits(errors: Findings, spec: JsonObject, path: string): void {
  const own = amountsOf(spec, "limits");
  listAt(spec, "containers").forEach((container, i) => {
    for (const [name, amount] of amountsOf(container, "limits")) {
      const ofPod = own.get(name);
      if (ofPod === undefined || amount.compare(ofPod) <= 0) continue;
      const field = child(key(index(child(path, "containers"), i), name), "limits");
      errors.push(
        fieldInvalid(field, amount.toString(), `must be less than or equal to pod limits of ${ofPod}`),
      );
    }
  });
}
