import { numberAt } from "../apimachinery/fields.ts";
import { formatGroupVersion, type GroupVersion } from "../apimachinery/group-version.ts";
import type { Lister } from "../apimachinery/lister.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { Release } from "../apimachinery/release.ts";
import type { ServedApi } from "../served/served-api.ts";
import type { Controller, ControllerClient } from "./contract/controller.ts";

const group = "admissionregistration.k8s.io";
const resource = "validatingadmissionpolicies";
const kind = "ValidatingAdmissionPolicy";

/** Upstream: pkg/controller/validatingadmissionpolicystatus. */
const fieldManager = "validatingadmissionpolicy-status";

interface PolicyEnvironment {
  readonly lister: Lister;
  readonly client: ControllerClient;
  readonly served: ServedApi;
  readonly release: Release;
}

/** Checks the expressions of each new or changed ValidatingAdmissionPolicy against the types that it selects, and writes its status. */
export function writePolicyStatus(environment: PolicyEnvironment): Controller["reconcile"] {
  const { lister, client, served, release } = environment;
  return async (name) => {
    const policy = lister.get({ group, resource }, "", name);
    const gv = statusVersion(served);
    if (policy === undefined || gv === undefined || isObserved(policy)) return;
    const { expressionWarnings } = await import("../admission/policies/type-checking.ts");
    const warnings = expressionWarnings(policy, served.current, release);
    const status = {
      observedGeneration: numberAt(policy, "metadata", "generation"),
      typeChecking: warnings.length === 0 ? {} : { expressionWarnings: warnings },
    };
    const applied = { apiVersion: formatGroupVersion(gv), kind, metadata: { name }, status };
    await client.apply(applied, { subresource: "status", fieldManager, force: true });
  };
}

/** The version that serves the status of policies; undefined before 1.28, and if no such version is enabled. */
function statusVersion({ current }: ServedApi): GroupVersion | undefined {
  return ["v1", "v1beta1"]
    .map((version) => ({ group, version }))
    .find((gv) => current.resource({ ...gv, resource })?.subresources.has("status"));
}

function isObserved(policy: KubeObject): boolean {
  return numberAt(policy, "metadata", "generation") <= numberAt(policy, "status", "observedGeneration");
}
