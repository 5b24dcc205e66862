import type { Authorizer } from "../authorization/contract/authorizer.ts";
import type { FeatureGates } from "../catalog/feature-gates.ts";
import type { AdmissionPlugin } from "./contract/admission.ts";
import { certificateApproval } from "./plugins/certificate-approval.ts";
import { certificateSigning } from "./plugins/certificate-signing.ts";
import { certificateSubjectRestriction } from "./plugins/certificate-subject-restriction.ts";
import { clusterTrustBundleAttest } from "./plugins/cluster-trust-bundle-attest.ts";
import { defaultIngressClass } from "./plugins/default-ingress-class.ts";
import { defaultStorageClass } from "./plugins/default-storage-class.ts";
import { defaultTolerationSeconds } from "./plugins/default-toleration-seconds.ts";
import { limitRanger } from "./plugins/limit-ranger.ts";
import { namespaceLifecycle } from "./plugins/namespace-lifecycle.ts";
import { nodeRestriction } from "./plugins/node-restriction.ts";
import { persistentVolumeClaimResize } from "./plugins/persistent-volume-claim-resize.ts";
import { type PodTemplateOf, podSecurity } from "./plugins/pod-security.ts";
import { priority } from "./plugins/priority.ts";
import { type QuotaAccess, resourceQuota } from "./plugins/resource-quota.ts";
import { runtimeClass } from "./plugins/runtime-class.ts";
import { serviceAccount } from "./plugins/service-account.ts";
import { storageObjectInUseProtection } from "./plugins/storage-object-in-use-protection.ts";
import { taintNodesByCondition } from "./plugins/taint-nodes-by-condition.ts";

/** What the plugins need from the server. */
export interface AdmissionEnvironment extends QuotaAccess {
  readonly authorize: Authorizer;
  readonly gates: FeatureGates;
  /** Random characters for the end of a generated name. */
  readonly suffix: (length: number) => string;
  /** Resolves when the controllers have caught up. */
  readonly settle: () => Promise<void>;
  readonly podTemplateOf: PodTemplateOf;
  /** Whether NodeRestriction is on. Installers turn it on with the authorization mode `Node`. */
  readonly restrictsNodes: boolean;
}

/** The plugins that are on by default, in upstream's order. */
export function defaultPlugins(environment: AdmissionEnvironment): readonly AdmissionPlugin[] {
  const { lister, authorize, gates, suffix, settle, podTemplateOf, restrictsNodes } = environment;
  return [
    namespaceLifecycle(lister),
    limitRanger(lister),
    serviceAccount(lister, suffix, settle),
    ...(restrictsNodes ? [nodeRestriction(lister, gates)] : []),
    taintNodesByCondition(),
    podSecurity(lister, podTemplateOf, gates),
    priority(lister),
    defaultTolerationSeconds(),
    defaultStorageClass(lister),
    storageObjectInUseProtection(),
    persistentVolumeClaimResize(lister),
    runtimeClass(lister, gates),
    certificateApproval(authorize),
    certificateSigning(authorize),
    clusterTrustBundleAttest(authorize, gates),
    certificateSubjectRestriction(),
    defaultIngressClass(lister),
    resourceQuota(environment),
  ];
}
