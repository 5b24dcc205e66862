import { expect, test } from "vitest";
import { sinceOf } from "../../apimachinery/release.ts";
import { type PluginName, pluginsOf } from "./plugin-order.ts";

/** Every plugin, webhook and policy of 1.32 in order; those with a star are on by default. */
const order = `
  AlwaysAdmit
  NamespaceAutoProvision
  * NamespaceLifecycle
  NamespaceExists
  LimitPodHardAntiAffinityTopology
  * LimitRanger
  * ServiceAccount
  NodeRestriction
  * TaintNodesByCondition
  AlwaysPullImages
  ImagePolicyWebhook
  * PodSecurity
  PodNodeSelector
  * Priority
  * DefaultTolerationSeconds
  PodTolerationRestriction
  EventRateLimit
  ExtendedResourceToleration
  * DefaultStorageClass
  * StorageObjectInUseProtection
  OwnerReferencesPermissionEnforcement
  * PersistentVolumeClaimResize
  * RuntimeClass
  * CertificateApproval
  * CertificateSigning
  * ClusterTrustBundleAttest
  * CertificateSubjectRestriction
  * DefaultIngressClass
  DenyServiceExternalIPs
  * MutatingAdmissionPolicy
  * MutatingAdmissionWebhook
  * ValidatingAdmissionPolicy
  * ValidatingAdmissionWebhook
  * ResourceQuota
  AlwaysDeny`;

test("the plugins of 1.32 have upstream's order and defaults", () => {
  const plugins = pluginsOf(sinceOf("1.32"));
  expect(plugins.map(({ name, isDefault }) => (isDefault ? `* ${name}` : name))).toEqual(
    order
      .trim()
      .split("\n")
      .map((line) => line.trim()),
  );
});

test.each<readonly [name: PluginName, first: "1.16" | "1.27" | "1.33", has: boolean]>([
  ["PodPreset", "1.16", true],
  ["PodSecurityPolicy", "1.16", true],
  ["PodSecurityPolicy", "1.27", false],
  ["PodSecurity", "1.16", false],
  ["ValidatingAdmissionPolicy", "1.16", false],
  ["ValidatingAdmissionPolicy", "1.27", true],
  ["MutatingAdmissionPolicy", "1.27", false],
  ["PodTopologyLabels", "1.27", false],
  ["PodTopologyLabels", "1.33", true],
])("%s in %s: %j", (name, release, has) => {
  expect(pluginsOf(sinceOf(release)).some((plugin) => plugin.name === name)).toBe(has);
});
