import { fieldDuplicate, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { listAt, objectAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import { repeats } from "../../../apimachinery/validation/repeats.ts";
import { addDriverNameErrors } from "../devices/device-name-validation.ts";
import { addParametersReference } from "./class-reference-validation.ts";
import { addModelErrors, addSelectorErrors } from "./named-resources-validation.ts";

/** Validates a ResourceClaimParameters. Upstream: ValidateResourceClaimParameters of 1.30. */
export function addClaimParametersErrors(errors: Findings, parameters: KubeObject): void {
  addParametersReference(errors, objectAt(parameters, "generatedFrom"), "generatedFrom");
  addDriverItems(errors, parameters, "driverRequests", (driver, at) => {
    const field = child(at, "requests");
    const requests = listAt(driver, "requests");
    for (const [i, request] of requests.entries())
      addModelErrors(errors, request, index(field, i), addSelectorErrors);
    if (requests.length === 0)
      errors.push(fieldRequired(field, "empty entries with no requests are not allowed"));
  });
}

/** Validates a ResourceClassParameters. Upstream: ValidateResourceClassParameters of 1.30. */
export function addClassParametersErrors(errors: Findings, parameters: KubeObject): void {
  addParametersReference(errors, objectAt(parameters, "generatedFrom"), "generatedFrom");
  addDriverItems(errors, parameters, "filters", (filter, at) =>
    addModelErrors(errors, filter, at, addSelectorErrors),
  );
  addDriverItems(errors, parameters, "vendorParameters", () => {});
}

/** Validates a list with at most one item for each driver. */
function addDriverItems(
  errors: Findings,
  parameters: KubeObject,
  field: string,
  addItem: (item: JsonObject, at: string) => void,
): void {
  const items = listAt(parameters, field);
  const drivers = items.map((item) => textAt(item, "driverName"));
  const isRepeated = repeats(drivers);
  for (const [i, item] of items.entries()) {
    const at = index(field, i);
    const driver = drivers[i] ?? "";
    addDriverNameErrors(errors, driver, child(at, "driverName"));
    if (isRepeated[i]) errors.push(fieldDuplicate(child(at, "driverName"), driver));
    addItem(item, at);
  }
}
