import { textAt } from "../../apimachinery/fields.ts";
import { goQuote } from "../../apimachinery/go/go-quote.ts";
import { jsonEqual } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { Authorizer } from "../../authorization/contract/authorizer.ts";
import { isAuthorizedForSigner } from "../../authorization/signer-permission.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import type { AdmissionAttributes, AdmissionPlugin } from "../contract/admission.ts";
import { refused } from "../contract/attributes.ts";

/**
 * Allows only users with the verb `attest` on the signer to write its trust bundle. The plugin is always on, as
 * upstream's is, and does nothing while the feature gate ClusterTrustBundle is off.
 */
export function clusterTrustBundleAttest(authorize: Authorizer, gates: FeatureGates): AdmissionPlugin {
  return {
    name: "ClusterTrustBundleAttest",
    handles: (operation) => operation === "CREATE" || operation === "UPDATE",
    validate: (attributes) => {
      const { gvr, object, oldObject } = attributes;
      if (gvr.group !== "certificates.k8s.io" || gvr.resource !== "clustertrustbundles") return undefined;
      if (!gates.isEnabled("ClusterTrustBundle") || object === undefined) return undefined;
      const signer = textAt(object, "spec", "signerName");
      if (signer === "" || isHousekeeping(object, oldObject)) return undefined;
      return checkAttestation(authorize, attributes, signer);
    },
  };
}

/** @throws {StatusError} forbidden */
async function checkAttestation(
  authorize: Authorizer,
  attributes: AdmissionAttributes,
  signer: string,
): Promise<void> {
  if (await isAuthorizedForSigner(authorize, attributes.user, "attest", signer)) return;
  throw refused(attributes, `user not permitted to attest for signerName ${goQuote(signer)}`);
}

/**
 * Whether an update changes only the fields that garbage collection and storage migration change. Upstream:
 * `IsOnlyMutatingGCFields`.
 */
function isHousekeeping(object: KubeObject, old: KubeObject | undefined): boolean {
  return old !== undefined && jsonEqual(withoutOwnership(object), withoutOwnership(old));
}

function withoutOwnership(object: KubeObject): KubeObject {
  const {
    ownerReferences: _owners,
    finalizers: _finalizers,
    managedFields: _fields,
    ...metadata
  } = object.metadata;
  return { ...object, metadata };
}
