import {
  fieldDuplicate,
  fieldForbidden,
  fieldInvalid,
  fieldNotFound,
  fieldRequired,
} from "../../../apimachinery/errors/field.ts";
import { listAt, objectAt, textAt } from "../../../apimachinery/fields.ts";
import { typedValue } from "../../../apimachinery/go/go-value.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import { addForbiddenFields, type Findings } from "../../../apimachinery/validation/findings.ts";
import { addContainer, addUntrimmedImage, type ContainerRules } from "./container.ts";
import { addRestartPolicy } from "./container-restarts.ts";
import { addForbiddenHandlers, addLifecycle, addProbes } from "./handlers.ts";
import { addHostPortConflicts } from "./ports.ts";

/** Validates the containers of a pod. */
export function addContainers(errors: Findings, spec: JsonObject, path: string, rules: ContainerRules): void {
  const containers = listAt(spec, "containers");
  if (containers.length === 0) {
    errors.push(fieldRequired(path));
    return;
  }
  const names = new Set<string>();
  containers.forEach((container, i) => {
    const at = index(path, i);
    const name = textAt(container, "name");
    addContainer(errors, container, at, rules);
    if (names.has(name)) errors.push(fieldDuplicate(child(at, "name"), name));
    names.add(name);
    addLifecycle(errors, container, at, rules);
    addProbes(errors, container, at, rules);
    addRestartPolicy(errors, container, at, "regular", rules.options.gates);
  });
  addHostPortConflicts(errors, containers, path);
}

/** Validates the init containers, including those that are sidecars. */
export function addInitContainers(
  errors: Findings,
  spec: JsonObject,
  path: string,
  rules: ContainerRules,
): void {
  const names = new Set(listAt(spec, "containers").map((container) => textAt(container, "name")));
  listAt(spec, "initContainers").forEach((container, i) => {
    const at = index(path, i);
    const name = textAt(container, "name");
    addContainer(errors, container, at, rules);
    addRestartPolicy(errors, container, at, "init", rules.options.gates);
    if (names.has(name)) errors.push(fieldDuplicate(child(at, "name"), name));
    else if (name !== "") names.add(name);
    // Each container on its own, because init containers run one after the other. Upstream's path always has the index
    // 0.
    addHostPortConflicts(errors, [container], path);
    if (container["restartPolicy"] === "Always") {
      addLifecycle(errors, container, at, rules);
      addProbes(errors, container, at, rules);
    } else addForbiddenHandlers(errors, container, at);
    if (!rules.options.gates.since("1.33")) {
      addInitResizePolicy(errors, container, child(at, "resizePolicy"));
    }
  });
}

function addInitResizePolicy(errors: Findings, container: JsonObject, field: string): void {
  const { resizePolicy } = container;
  if (resizePolicy === undefined) return;
  const shown = typedValue("[]core.ContainerResizePolicy", resizePolicy);
  errors.push(fieldInvalid(field, shown, "must not be set for init containers"));
}

const permanentFields = [
  "ports",
  "resources",
  "resizePolicy",
  "restartPolicy",
  "restartPolicyRules",
  "livenessProbe",
  "readinessProbe",
  "startupProbe",
  "lifecycle",
];

/** Validates the ephemeral containers. */
export function addEphemeralContainers(
  errors: Findings,
  spec: JsonObject,
  path: string,
  rules: ContainerRules,
): void {
  const others = [...listAt(spec, "containers"), ...listAt(spec, "initContainers")];
  const targets = new Set(others.map((container) => textAt(container, "name")));
  const names = new Set(targets);
  listAt(spec, "ephemeralContainers").forEach((container, i) => {
    const at = index(path, i);
    const name = textAt(container, "name");
    const target = textAt(container, "targetContainerName");
    addContainer(errors, container, at, rules);
    addUntrimmedImage(errors, container, at);
    if (names.has(name)) errors.push(fieldDuplicate(child(at, "name"), name));
    names.add(name);
    if (target !== "" && !targets.has(target)) {
      errors.push(fieldNotFound(child(at, "targetContainerName"), target));
    }
    addPermanentFields(errors, container, at);
  });
}

/** Rejects the fields that ephemeral containers do not have. */
function addPermanentFields(errors: Findings, container: JsonObject, path: string): void {
  const detail = "cannot be set for an Ephemeral Container";
  const resources = objectAt(container, "resources");
  const hasResources = resources !== undefined && Object.keys(resources).length > 0;
  const set = permanentFields.filter((field) => field !== "resources" || hasResources);
  addForbiddenFields(errors, container, set, detail, path);
  listAt(container, "volumeMounts").forEach((mount, i) => {
    const at = index(child(path, "volumeMounts"), i);
    for (const field of ["subPath", "subPathExpr"]) {
      if (textAt(mount, field)) errors.push(fieldForbidden(child(at, field), detail));
    }
  });
}
