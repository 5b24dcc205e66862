import {
  fieldForbidden,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
} from "../../../apimachinery/errors/field.ts";
import { objectAt, structAt, textAt } from "../../../apimachinery/fields.ts";
import { typedValue } from "../../../apimachinery/go/go-value.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { parseQuantity } from "../../../apimachinery/quantity.ts";
import { child } from "../../../apimachinery/validation/field-path.ts";
import { addInvalid, addLabel, type Findings } from "../../../apimachinery/validation/findings.ts";
import { pathSegmentName } from "../../../apimachinery/validation/names.ts";
import { addContainerResourceName, addResourceName } from "../../quantities/resource-names.ts";
import { addObjectReference } from "./object-reference.ts";

const types = ["ContainerResource", "External", "Object", "Pods", "Resource"];
const targetTypes = ["Utilization", "Value", "AverageValue"];

type Validator = (errors: Findings, source: JsonObject, path: string) => void;

/** The field and the validation of each type of source, in upstream's order. */
const sources: readonly (readonly [field: string, type: string, validate: Validator])[] = [
  ["object", "Object", addObjectSource],
  ["external", "External", addExternalSource],
  ["pods", "Pods", addPodsSource],
  ["resource", "Resource", addResourceSource],
  ["containerResource", "ContainerResource", addContainerResourceSource],
];

/** Validates a metric in the spec. Upstream: pkg/apis/autoscaling/validation/validation.go, validateMetricSpec. */
export function addMetric(errors: Findings, metric: JsonObject, path: string): void {
  const typePath = child(path, "type");
  const type = textAt(metric, "type");
  const unsupported = fieldNotSupported(typePath, type, types);
  if (type === "") errors.push(fieldRequired(typePath, "must specify a metric source type"));
  if (!types.includes(type)) errors.push(unsupported);
  const present = sources.filter(([field]) => objectAt(metric, field) !== undefined);
  const [first] = present;
  if (first !== undefined) {
    const [field, , validate] = first;
    validate(errors, structAt(metric, field), child(path, field));
  }
  const expected = sources.find((source) => source[1] === type)?.[0];
  if (expected === undefined) errors.push(unsupported);
  else if (objectAt(metric, expected) === undefined) {
    const detail = "must populate information for the given metric source";
    errors.push(fieldRequired(child(path, expected), detail));
  }
  if (present.length === 1) return;
  for (const [field] of present) {
    if (field === expected) continue;
    errors.push(fieldForbidden(child(path, field), "must populate the given metric source only"));
  }
}

function addObjectSource(errors: Findings, source: JsonObject, path: string): void {
  addObjectReference(errors, structAt(source, "describedObject"), child(path, "describedObject"));
  addNamedTarget(errors, source, path);
  const { value, averageValue } = structAt(source, "target");
  if (value !== undefined || averageValue !== undefined) return;
  const field = child(path, "target", "averageValue");
  errors.push(fieldRequired(field, "must set either a target value or averageValue"));
}

function addExternalSource(errors: Findings, source: JsonObject, path: string): void {
  addNamedTarget(errors, source, path);
  const { value, averageValue } = structAt(source, "target");
  if (value === undefined && averageValue === undefined) {
    const detail = "must set either a target value for metric or a per-pod target";
    errors.push(fieldRequired(child(path, "target", "averageValue"), detail));
  }
  if (value !== undefined && averageValue !== undefined) {
    const detail = "may not set both a target value for metric and a per-pod target";
    errors.push(fieldForbidden(child(path, "target", "value"), detail));
  }
}

function addPodsSource(errors: Findings, source: JsonObject, path: string): void {
  addNamedTarget(errors, source, path);
  if (structAt(source, "target")["averageValue"] !== undefined) return;
  const field = child(path, "target", "averageValue");
  errors.push(fieldRequired(field, "must specify a positive target averageValue"));
}

function addResourceSource(errors: Findings, source: JsonObject, path: string): void {
  if (textAt(source, "name") === "") {
    errors.push(fieldRequired(child(path, "name"), "must specify a resource name"));
  }
  addResourceTarget(errors, source, path);
}

function addContainerResourceSource(errors: Findings, source: JsonObject, path: string): void {
  const name = textAt(source, "name");
  if (name === "") errors.push(fieldRequired(child(path, "name"), "must specify a resource name"));
  else {
    // Unlike in a container, any name with a domain is valid.
    const addName = name.includes("/") ? addResourceName : addContainerResourceName;
    addName(errors, name, child(path, "name"));
  }
  const container = textAt(source, "container");
  if (container === "") errors.push(fieldRequired(child(path, "container"), "must specify a container"));
  else addLabel(errors, container, child(path, "container"));
  addResourceTarget(errors, source, path);
}

function addResourceTarget(errors: Findings, source: JsonObject, path: string): void {
  addTarget(errors, structAt(source, "target"), child(path, "target"));
  const { averageUtilization, averageValue } = structAt(source, "target");
  if (averageUtilization === undefined && averageValue === undefined) {
    const detail = "must set either a target raw value or a target utilization";
    errors.push(fieldRequired(child(path, "target", "averageUtilization"), detail));
  }
  if (averageUtilization !== undefined && averageValue !== undefined) {
    const detail = "may not set both a target raw value and a target utilization";
    errors.push(fieldForbidden(child(path, "target", "averageValue"), detail));
  }
}

function addNamedTarget(errors: Findings, source: JsonObject, path: string): void {
  const name = textAt(source, "metric", "name");
  const field = child(path, "metric", "name");
  if (name === "") errors.push(fieldRequired(field, "must specify a metric name"));
  else addInvalid(errors, field, name, pathSegmentName(name, "name"));
  addTarget(errors, structAt(source, "target"), child(path, "target"));
}

function addTarget(errors: Findings, target: JsonObject, path: string): void {
  const type = textAt(target, "type");
  if (type === "") errors.push(fieldRequired(child(path, "type"), "must specify a metric target type"));
  if (!targetTypes.includes(type)) {
    errors.push(
      fieldInvalid(child(path, "type"), type, "must be either Utilization, Value, or AverageValue"),
    );
  }
  for (const field of ["value", "averageValue"]) {
    const amount = target[field];
    if (typeof amount !== "string" || parseQuantity(amount).sign === 1) continue;
    errors.push(
      fieldInvalid(child(path, field), typedValue("resource.Quantity", amount), "must be positive"),
    );
  }
  const { averageUtilization } = target;
  if (typeof averageUtilization === "number" && averageUtilization < 1) {
    const field = child(path, "averageUtilization");
    errors.push(fieldInvalid(field, averageUtilization, "must be greater than 0"));
  }
}
