import { structAt, textAt, textsAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { AdmissionAttributes } from "../contract/admission.ts";

/** What the configuration of the plugin says for namespaces and requests. */
export interface ConfiguredPolicy {
  /** The labels that count for namespaces without them. */
  readonly defaults: { readonly [label: string]: string };
  /** Why the policy does not apply to a request, in the words of the audit annotation; undefined if it does. */
  readonly exemptionOf: (
    attributes: AdmissionAttributes,
    runtimeClass: string,
  ) => "user" | "namespace" | "runtimeClass" | undefined;
}

const modes = ["enforce", "audit", "warn"].flatMap((mode) => [mode, `${mode}-version`]);

/** Reads a PodSecurityConfiguration. Upstream: pod-security-admission, admission/api/types.go. */
export function configuredPolicy(configuration: JsonObject): ConfiguredPolicy {
  const given = structAt(configuration, "defaults");
  const defaults: Record<string, string> = {};
  for (const mode of modes) {
    const value = textAt(given, mode);
    if (value !== "") defaults[`pod-security.kubernetes.io/${mode}`] = value;
  }
  const exempt = (field: string) => new Set(textsAt(configuration, "exemptions", field));
  const [users, namespaces, classes] = ["usernames", "namespaces", "runtimeClasses"].map(exempt);
  return {
    defaults,
    exemptionOf: ({ namespace, user }, runtimeClass) => {
      if (namespace !== "" && namespaces?.has(namespace)) return "namespace";
      if (users?.has(user.name)) return "user";
      return runtimeClass !== "" && classes?.has(runtimeClass) ? "runtimeClass" : undefined;
    },
  };
}
