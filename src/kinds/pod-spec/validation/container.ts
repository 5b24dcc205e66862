import {
  fieldDuplicate,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
} from "../../../apimachinery/errors/field.ts";
import { listAt, objectAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import { addLabel, addUnlessIn, type Findings } from "../../../apimachinery/validation/findings.ts";
import { addContainerResources } from "../../quantities/resources.ts";
import { addEnv, addEnvFrom } from "./env.ts";
import type { HandlerRules } from "./handlers.ts";
import type { PodValidationOptions } from "./pod-validation-options.ts";
import { addPorts } from "./ports.ts";
import { addSecurityContext } from "./security-context.ts";
import { addVolumeDevices, addVolumeMounts, type Volumes } from "./volume-mounts.ts";

/** The parts of the pod that the validation of its containers depends on. */
export interface ContainerRules extends HandlerRules {
  readonly volumes: Volumes;
  readonly claimNames: ReadonlySet<string>;
  readonly podRestartPolicy: string;
  readonly hostUsers: boolean;
  readonly options: PodValidationOptions;
}

const messagePolicies = ["File", "FallbackToLogsOnError"];
/** The pull policies of container images and image volumes. */
export const pullPolicies: readonly string[] = ["Always", "IfNotPresent", "Never"];
const resizable = ["cpu", "memory"];
const resizePolicies = ["NotRequired", "RestartContainer"];

/**
 * Validates what all kinds of containers share. Upstream: pkg/apis/core/validation/validation.go,
 * validateContainerCommon.
 */
export function addContainer(
  errors: Findings,
  container: JsonObject,
  path: string,
  rules: ContainerRules,
): void {
  const name = textAt(container, "name");
  if (name === "") errors.push(fieldRequired(child(path, "name")));
  else addLabel(errors, name, child(path, "name"));
  if (!textAt(container, "image")) errors.push(fieldRequired(child(path, "image")));
  addUnlessIn(
    errors,
    messagePolicies,
    container["terminationMessagePolicy"],
    child(path, "terminationMessagePolicy"),
  );
  const { options, volumes, claimNames } = rules;
  addPorts(errors, container, child(path, "ports"), options);
  addEnv(errors, container, child(path, "env"), options);
  addEnvFrom(errors, container, child(path, "envFrom"), options);
  addVolumeMounts(errors, container, volumes, child(path, "volumeMounts"), options.gates);
  addVolumeDevices(errors, container, volumes, child(path, "volumeDevices"));
  addUnlessIn(errors, pullPolicies, container["imagePullPolicy"], child(path, "imagePullPolicy"));
  const { allowsIndivisibleHugePages } = options;
  const resourceRules = { claimNames, allowsIndivisibleHugePages };
  addContainerResources(errors, objectAt(container, "resources"), child(path, "resources"), resourceRules);
  addResizePolicy(errors, container, child(path, "resizePolicy"), rules.podRestartPolicy);
  const context = objectAt(container, "securityContext");
  addSecurityContext(errors, context, child(path, "securityContext"), rules);
}

function addResizePolicy(
  errors: Findings,
  container: JsonObject,
  path: string,
  podRestartPolicy: string,
): void {
  const seen = new Set<string>();
  listAt(container, "resizePolicy").forEach((item, i) => {
    const resource = textAt(item, "resourceName");
    const policy = textAt(item, "restartPolicy");
    if (seen.has(resource)) errors.push(fieldDuplicate(index(path, i), resource));
    seen.add(resource);
    addListed(errors, resizable, resource, path);
    addListed(errors, resizePolicies, policy, path);
    if (podRestartPolicy !== "Never" || policy === "NotRequired") return;
    const detail = "must be 'NotRequired' when `restartPolicy` is 'Never'";
    errors.push(fieldInvalid(path, policy, detail));
  });
}

function addListed(errors: Findings, supported: readonly string[], value: string, path: string): void {
  if (value === "") errors.push(fieldRequired(path));
  else if (!supported.includes(value)) errors.push(fieldNotSupported(path, value, supported));
}

/** Rejects images of pods with leading or trailing white space. Templates can have them. */
export function addUntrimmedImage(errors: Findings, container: JsonObject, path: string): void {
  const image = textAt(container, "image");
  if (image.trim() === image) return;
  errors.push(fieldInvalid(child(path, "image"), image, "must not have leading or trailing whitespace"));
}
