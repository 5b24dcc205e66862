import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { AdmissionAttributes, AdmissionPlugin } from "../contract/admission.ts";
import type { CheckCoverage } from "../quota/limited-resources.ts";
import type { QuotaAccess } from "../quota/quota-access.ts";

const resourceQuotas = { group: "", resource: "resourcequotas" };

/**
 * Rejects writes that exceed a quota of the namespace, and adds the usage of the others to its status. The code for that is
 * loaded with the first quota that counts.
 */
export function resourceQuota(access: QuotaAccess, configuration: JsonObject | undefined): AdmissionPlugin {
  const { lister, quotaMutex, quotaEvaluators: loadEvaluators } = access;
  const loadCoverage = configuration && coverageLoader(configuration);
  const chargeFor = async (attributes: AdmissionAttributes, object: KubeObject) => {
    const { operation, subresource, gvr } = attributes;
    const evaluator = (await loadEvaluators()).evaluatorOf(gvr);
    const charged = operation === "CREATE" ? "" : evaluator?.chargesUpdateOf;
    if (subresource !== charged) return;
    // A recount must see both the charge and the object, so the lock is held until the write has ended.
    attributes.sideEffects.addEnding(await quotaMutex.lock(attributes.namespace));
    const { charge } = await import("../quota/charges.ts");
    const checkCoverage = loadCoverage && (await loadCoverage());
    await charge(access, attributes, { object, evaluator, checkCoverage });
  };
  return {
    name: "ResourceQuota",
    handles: (operation) => operation === "CREATE" || operation === "UPDATE",
    validate: (attributes) => {
      const { namespace, object, gvr } = attributes;
      if (object === undefined || namespace === "" || gvr.resource === "namespaces") return undefined;
      if (loadCoverage === undefined && lister.list(resourceQuotas, namespace).length === 0) return undefined;
      return chargeFor(attributes, object);
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
