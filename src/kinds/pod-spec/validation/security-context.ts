import {
  fieldForbidden,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
  fieldTooLong,
} from "../../../apimachinery/errors/field.ts";
import { listAt, objectAt, textAt, textsAt, valueAt } from "../../../apimachinery/fields.ts";
import { typedValue } from "../../../apimachinery/go/go-value.ts";
import { type JsonObject, type JsonValue, keyCount } from "../../../apimachinery/json.ts";
import { utf8Length } from "../../../apimachinery/utf8.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import { addUnlessIn, type Findings } from "../../../apimachinery/validation/findings.ts";
import { inclusiveRange } from "../../../apimachinery/validation/format-messages.ts";
import { addDescendingPath } from "./paths.ts";
import type { PodValidationOptions } from "./pod-validation-options.ts";
import { addSysctls } from "./sysctls.ts";
import { addWindowsOptions } from "./windows-options.ts";

const maxId = 2 ** 31 - 1;
const maxProfileLength = 4095;
const profileTypes = ["Localhost", "RuntimeDefault", "Unconfined"];

/** Validates the security context of a pod. */
export function addPodSecurityContext(
  errors: Findings,
  spec: JsonObject,
  path: string,
  options: PodValidationOptions,
): void {
  const context = objectAt(spec, "securityContext");
  if (context === undefined) return;
  // As it is by default.
  if (keyCount(context) === 0 && spec["shareProcessNamespace"] !== true) return;
  addId(errors, context["fsGroup"], child(path, "fsGroup"));
  addId(errors, context["runAsUser"], child(path, "runAsUser"));
  addId(errors, context["runAsGroup"], child(path, "runAsGroup"));
  addIds(errors, context, path);
  if (spec["shareProcessNamespace"] === true && spec["hostPID"] === true) {
    const detail = "ShareProcessNamespace and HostPID cannot both be enabled";
    errors.push(fieldInvalid(child(path, "shareProcessNamespace"), true, detail));
  }
  addSysctls(errors, listAt(context, "sysctls"), spec, child(path, "sysctls"), options);
  const { fsGroupChangePolicy, supplementalGroupsPolicy, seLinuxChangePolicy } = context;
  const changePolicies = ["Always", "OnRootMismatch"];
  addUnlessIn(errors, changePolicies, fsGroupChangePolicy, child(path, "fsGroupChangePolicy"));
  addSeccompProfile(errors, objectAt(context, "seccompProfile"), child(path, "seccompProfile"));
  addWindowsOptions(errors, objectAt(context, "windowsOptions"), child(path, "windowsOptions"));
  addAppArmorProfile(errors, objectAt(context, "appArmorProfile"), child(path, "appArmorProfile"));
  const groups = ["Merge", "Strict"];
  addUnlessIn(errors, groups, supplementalGroupsPolicy, child(path, "supplementalGroupsPolicy"));
  const labels = ["MountOption", "Recursive"];
  addUnlessIn(errors, labels, seLinuxChangePolicy, child(path, "seLinuxChangePolicy"));
}

/** Validates the security context of a container; `hostUsers` is the field of the pod. */
export function addSecurityContext(
  errors: Findings,
  context: JsonObject | undefined,
  path: string,
  { hostUsers }: { readonly hostUsers: boolean },
): void {
  if (context === undefined) return;
  addId(errors, context["runAsUser"], child(path, "runAsUser"));
  addId(errors, context["runAsGroup"], child(path, "runAsGroup"));
  const { procMount } = context;
  addUnlessIn(errors, ["Default", "Unmasked"], procMount, child(path, "procMount"));
  if (procMount === "Unmasked" && hostUsers) {
    const detail = "`hostUsers` must be false to use `Unmasked`";
    errors.push(fieldInvalid(child(path, "procMount"), procMount, detail));
  }
  addSeccompProfile(errors, objectAt(context, "seccompProfile"), child(path, "seccompProfile"));
  addEscalation(errors, context, path);
  addWindowsOptions(errors, objectAt(context, "windowsOptions"), child(path, "windowsOptions"));
  addAppArmorProfile(errors, objectAt(context, "appArmorProfile"), child(path, "appArmorProfile"));
}

/** A container with all privileges cannot have `allowPrivilegeEscalation: false`. */
function addEscalation(errors: Findings, context: JsonObject, path: string): void {
  if (context["allowPrivilegeEscalation"] !== false) return;
  if (context["privileged"] === true) {
    const detail = "cannot set `allowPrivilegeEscalation` to false and `privileged` to true";
    errors.push(fieldInvalid(path, typedValue("core.SecurityContext", context), detail));
  }
  for (const capability of textsAt(context, "capabilities", "add")) {
    if (capability !== "CAP_SYS_ADMIN") continue;
    const detail = "cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN";
    errors.push(fieldInvalid(path, typedValue("core.SecurityContext", context), detail));
  }
}

function addIds(errors: Findings, context: JsonObject, path: string): void {
  const ids = valueAt(context, "supplementalGroups");
  if (!Array.isArray(ids)) return;
  ids.forEach((id, i) => {
    addId(errors, id, index(child(path, "supplementalGroups"), i));
  });
}

/** Validates the number of a user or a group. */
export function addId(errors: Findings, id: JsonValue | undefined, field: string): void {
  if (typeof id !== "number" && typeof id !== "bigint") return;
  if (id >= 0 && id <= maxId) return;
  errors.push(fieldInvalid(field, id, inclusiveRange(0, maxId)));
}

function addSeccompProfile(errors: Findings, profile: JsonObject | undefined, path: string): void {
  if (profile === undefined) return;
  const type = textAt(profile, "type");
  const { localhostProfile } = profile;
  if (type === "") {
    errors.push(fieldRequired(child(path, "type"), "type is required when seccompProfile is set"));
  } else addUnlessIn(errors, profileTypes, type, child(path, "type"));
  const field = child(path, "localhostProfile");
  if (type !== "Localhost") {
    if (localhostProfile === undefined) return;
    const shown = typedValue("core.SeccompProfile", profile);
    errors.push(fieldInvalid(field, shown, "can only be set when seccomp type is Localhost"));
  } else if (typeof localhostProfile !== "string") {
    errors.push(fieldRequired(field, "must be set when seccomp type is Localhost"));
  } else addDescendingPath(errors, localhostProfile, field);
}

/** Validates an AppArmor profile. */
function addAppArmorProfile(errors: Findings, profile: JsonObject | undefined, path: string): void {
  if (profile === undefined) return;
  const type = textAt(profile, "type");
  const { localhostProfile } = profile;
  const field = child(path, "localhostProfile");
  if (type === "Localhost") addLocalhostProfile(errors, localhostProfile, field);
  else if (type === "") {
    errors.push(fieldRequired(child(path, "type"), "type is required when appArmorProfile is set"));
  } else if (!profileTypes.includes(type)) {
    errors.push(fieldNotSupported(child(path, "type"), type, profileTypes));
  } else if (localhostProfile !== undefined) {
    const detail = "can only be set when AppArmor type is Localhost";
    errors.push(fieldInvalid(field, localhostProfile, detail));
  }
}

function addLocalhostProfile(errors: Findings, name: JsonValue | undefined, field: string): void {
  const missing = "must be set when AppArmor type is Localhost";
  if (typeof name !== "string") {
    errors.push(fieldRequired(field, missing));
    return;
  }
  if (name.trim() !== name) {
    errors.push(fieldInvalid(field, name, "must not be padded with whitespace"));
  } else if (name === "") errors.push(fieldRequired(field, missing));
  if (utf8Length(name) > maxProfileLength) errors.push(fieldTooLong(field, maxProfileLength));
}

/** Rejects a user namespace together with namespaces of the host. */
export function addHostUsers(
  errors: Findings,
  spec: JsonObject,
  path: string,
  { allowsUserNamespaceOnHostNetwork }: Pick<PodValidationOptions, "allowsUserNamespaceOnHostNetwork">,
): void {
  if (spec["hostUsers"] !== false) return;
  const detail = "when `pod.Spec.HostUsers` is false";
  if (spec["hostNetwork"] === true && !allowsUserNamespaceOnHostNetwork) {
    errors.push(fieldForbidden(child(path, "hostNetwork"), detail));
  }
  if (spec["hostPID"] === true) errors.push(fieldForbidden(child(path, "HostPID"), detail));
  if (spec["hostIPC"] === true) errors.push(fieldForbidden(child(path, "HostIPC"), detail));
}
