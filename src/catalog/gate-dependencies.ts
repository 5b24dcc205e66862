import { type AnyRelease, type Release, sinceOf } from "../apimachinery/release.ts";
import type { EffectiveVersion } from "./effective-version.ts";
import { wholeStageValue } from "./feature-gates.ts";
import { type GateLife, isGateOf, stageOf } from "./gate-life.ts";

/** The first release that checks all dependencies of its gates. Those before it check a few, each with a text of its own. */
const firstWithDependencies: Release = "1.35";

/**
 * A line for each gate that needs others while it is on; a release may add a dependency later. Gates that the release does not
 * have count for nothing. Upstream: pkg/features/kube_features.go, `defaultKubernetesFeatureGateDependencies`.
 */
export const dependenciesOfEffectiveGates: string = `
AuthorizeNodeWithSelectors AuthorizeWithSelectors
ClusterTrustBundleProjection ClusterTrustBundle
DisableAllocatorDualWrite MultiCIDRServiceAllocator
DRAAdminAccess DynamicResourceAllocation
DRAConsumableCapacity DynamicResourceAllocation
DRADeviceBindingConditions DRAResourceClaimDeviceStatus DynamicResourceAllocation
DRADeviceTaints DynamicResourceAllocation
DRAExtendedResource DynamicResourceAllocation
DRAListTypeAttributes DynamicResourceAllocation
DRANodeAllocatableResources DynamicResourceAllocation
DRAPartitionableDevices DynamicResourceAllocation
DRAPrioritizedList DynamicResourceAllocation
DRAWorkloadResourceClaims DynamicResourceAllocation GenericWorkload
ImageVolumeWithDigest ImageVolume
InPlacePodLevelResourcesVerticalScaling InPlacePodVerticalScaling NodeDeclaredFeatures PodLevelResources
InPlacePodVerticalScalingInitContainers InPlacePodVerticalScaling NodeDeclaredFeatures
PodCertificateRequest AuthorizeNodeWithSelectors
PodLifecycleSleepActionAllowZero PodLifecycleSleepAction
ProcMountType UserNamespacesSupport
ResourceHealthStatus DynamicResourceAllocation
ResourceHealthStatusMessage ResourceHealthStatus
RestartAllContainersOnContainerExits ContainerRestartRules NodeDeclaredFeatures
ServiceAccountTokenNodeBinding ServiceAccountTokenNodeBindingValidation
StructuredAuthenticationConfigurationEgressSelector StructuredAuthenticationConfiguration
TopologyAwareWorkloadScheduling GenericWorkload
`;

/** A gate that needs another one in some releases before 1.35. */
interface EarlyDependency {
  readonly dependent: string;
  readonly needs: string;
  readonly since: Release;
  readonly until: Release;
  /** What the server calls the other one. */
  readonly noun: "feature" | "feature flag";
}

/** Upstream: pkg/controlplane/apiserver/options/validation.go. */
const earlyDependencies: readonly EarlyDependency[] = [
  {
    dependent: "AuthorizeNodeWithSelectors",
    needs: "AuthorizeWithSelectors",
    since: "1.31",
    until: "1.35",
    noun: "feature",
  },
  {
    dependent: "DRAControlPlaneController",
    needs: "DynamicResourceAllocation",
    since: "1.31",
    until: "1.32",
    noun: "feature",
  },
  {
    dependent: "PodCertificateRequest",
    needs: "AuthorizeNodeWithSelectors",
    since: "1.34",
    until: "1.35",
    noun: "feature",
  },
  {
    dependent: "UnknownVersionInteroperabilityProxy",
    needs: "StorageVersionAPI",
    since: "1.28",
    until: "1.33",
    noun: "feature flag",
  },
];

/**
 * Why a server does not start with these values of its gates, each of which it takes, in its words: a gate is on without another
 * one that it needs. Undefined if it starts. Upstream's order is random.
 * @param lifeOf of the gates that are looked at
 * @param dependencies lines as those of `dependenciesOfEffectiveGates`
 */
export function dependencyProblem(
  set: ReadonlyMap<string, boolean>,
  { binary, emulation }: EffectiveVersion,
  lifeOf: (name: string) => GateLife | undefined,
  dependencies: string,
): string | undefined {
  const gateValue = (name: string): boolean | undefined => {
    const life = lifeOf(name);
    if (life === undefined || !isGateOf(life, binary)) return undefined;
    const stage = stageOf(life, emulation);
    if (stage === undefined || stage === "preAlpha") return false;
    return set.get(name) ?? wholeStageValue(life, emulation, set) ?? stage.isOn;
  };
  const problems = sinceOf(binary)(firstWithDependencies)
    ? unmetDependencies(binary, gateValue, dependencies)
    : unmetEarlyDependencies(binary, gateValue);
  return problems.length > 1 ? `[${problems.join(", ")}]` : problems[0];
}

/** The value of a gate; undefined for one that the server does not have. */
type GateValue = (name: string) => boolean | undefined;

function unmetDependencies(binary: Release, gateValue: GateValue, dependencies: string): readonly string[] {
  const since = sinceOf<AnyRelease>(binary);
  return dependencies.split("\n").flatMap((line) => {
    const [gate = "", ...needed] = line.split(" ");
    if (gateValue(gate) !== true) return [];
    const current = needed.flatMap((one) => {
      const [name = "", first] = one.split("@");
      // What follows `@` is a release.
      return first === undefined || since(first as AnyRelease) ? [name] : [];
    });
    const off = current.filter((name) => gateValue(name) === false).toSorted();
    return off.length === 0
      ? []
      : [`${gate} is enabled, but depends on features that are disabled: [${off.join(" ")}]`];
  });
}

function unmetEarlyDependencies(binary: Release, gateValue: GateValue): readonly string[] {
  const reached = sinceOf(binary);
  return earlyDependencies
    .filter(({ since, until }) => reached(since) && !reached(until))
    .filter(({ dependent, needs }) => gateValue(dependent) === true && gateValue(needs) === false)
    .map(({ dependent, needs, noun }) => `${dependent} feature requires ${needs} ${noun} to be enabled`);
}
