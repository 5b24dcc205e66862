import type { JsonObject } from "../../apimachinery/json.ts";
import type { QuotaEvaluator } from "../../registry/contract/quota-evaluator.ts";
import type { AdmissionAttributes, AdmissionPlugin } from "../contract/admission.ts";
import type { CheckCoverage } from "../quota/limited-resources.ts";
import type { QuotaAccess } from "../quota/quota-access.ts";

const resourceQuotas = { group: "", resource: "resourcequotas" };

/**
 * Rejects writes that exceed a quota of the namespace, and adds the usage of the others to its status. The code for that is
 * loaded with the first quota that counts.
 */
export function resourceQuota(access: QuotaAccess, configuration: JsonObject | undefined): AdmissionPlugin {
  const { lister, quotaMutex, quotaEvaluators } = access;
  const loadCoverage = configuration && coverageLoader(configuration);
  return {
    name: "ResourceQuota",
    handles: (operation) => operation === "CREATE" || operation === "UPDATE",
    validate: (attributes) => {
      const { namespace, object } = attributes;
      const evaluator = quotaEvaluators.evaluatorOf(attributes.gvr);
      if (object === undefined || namespace === "" || !canRaiseUsage(attributes, evaluator)) return undefined;
      if (loadCoverage === undefined && lister.list(resourceQuotas, namespace).length === 0) return undefined;
      return quotaMutex.lock(namespace).then(async (release) => {
        // A recount must see both the charge and the object, so the lock is held until the write has ended.
        attributes.sideEffects.addEnding(release);
        const { charge } = await import("../quota/charges.ts");
        const checkCoverage = loadCoverage && (await loadCoverage());
        return charge(access, attributes, { object, evaluator, checkCoverage });
      });
    },
  };
}

/** Few clusters limit resources by default, so what checks that is loaded with the first request. */
function coverageLoader(configuration: JsonObject): () => Promise<CheckCoverage> {
  let check: CheckCoverage | undefined;
  return async () => {
    const { limitedResources } = await import("../quota/limited-resources.ts");
    check ??= limitedResources(configuration);
    return check;
  };
}

function canRaiseUsage(
  { subresource, gvr, operation }: AdmissionAttributes,
  evaluator: QuotaEvaluator | undefined,
): boolean {
  if (subresource !== "" || gvr.resource === "namespaces") return false;
  return operation === "CREATE" || evaluator?.handlesUpdate === true;
}
