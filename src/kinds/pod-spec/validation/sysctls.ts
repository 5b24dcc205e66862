import { fieldDuplicate, fieldInvalid, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";

const maxNameLength = 253;
const namePattern = "^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$";
const nameRegExp = new RegExp(namePattern);

/** Validates the sysctls of a pod. Those of a namespace that the pod shares with the host are forbidden. */
export function addSysctls(
  errors: Findings,
  sysctls: readonly JsonObject[],
  spec: JsonObject,
  path: string,
  options: { readonly allowsHostSysctls: boolean },
): void {
  const names = new Set<string>();
  sysctls.forEach((sysctl, i) => {
    const field = child(index(path, i), "name");
    const name = textAt(sysctl, "name");
    if (name === "") errors.push(fieldRequired(field));
    else if (!isSysctlName(name)) {
      const detail = `must have at most ${maxNameLength} characters and match regex ${namePattern}`;
      errors.push(fieldInvalid(field, name, detail));
    } else if (names.has(name)) errors.push(fieldDuplicate(field, name));
    names.add(name);
    if (options.allowsHostSysctls) return;
    const shared = sharedNamespace(name, spec);
    if (shared === undefined) return;
    errors.push(fieldInvalid(field, name, `may not be specified when '${shared}' is true`));
  });
}

/** The field that shares the namespace of a sysctl with the host. */
export function sharedNamespace(name: string, spec: JsonObject): "hostNetwork" | "hostIPC" | undefined {
  const normalized = withDots(name);
  if (spec["hostNetwork"] === true && normalized.startsWith("net.")) return "hostNetwork";
  if (spec["hostIPC"] !== true) return undefined;
  const isIpc =
    ["kernel.sem"].includes(normalized) || /^(kernel\.shm|kernel\.msg|fs\.mqueue\.)/.test(normalized);
  return isIpc ? "hostIPC" : undefined;
}

function isSysctlName(name: string): boolean {
  return name.length <= maxNameLength && nameRegExp.test(name);
}

/** In a name with slashes as separators, slashes and dots are swapped. */
function withDots(name: string): string {
  const separator = /[./]/.exec(name)?.[0];
  if (separator !== "/") return name;
  return name.replace(/[./]/g, (at) => (at === "/" ? "." : "/"));
}
