import type { Release } from "../../../src/apimachinery/release.ts";
import { sinceOf } from "../../../src/apimachinery/release.ts";
import type { Statement } from "./statement.ts";

/** The releases in which a rule, or its wording, is as the statements with such a text say. */
interface Validity {
  readonly says: RegExp;
  readonly since?: Release;
  readonly until?: Release;
}

/** Statements that do not hold in all releases, or not in the same words. The others hold from 1.16 on. */
const validities: readonly Validity[] = [
  // CSIStorageCapacity is in storage.k8s.io/v1.
  { says: /quantity "|the number .* is stored as the quantity|is no quantity/, since: "1.24" },
  { says: /^(?:list|deletecollection) with labelSelector="x in \(y,,\)" is refused/, until: "1.34" },
  // RelaxedServiceNameValidation.
  { says: /is no name of a Service$/, until: "1.35" },
  { says: /^"(?:a\.b|1\.2)" is no name of a Namespace$/, since: "1.27" },
  // WatchList.
  { says: /^a list with watch=1&sendInitialEvents=.* is refused$/, since: "1.32" },
  { says: /^a field manager has at most 128 bytes$/, since: "1.32" },
  { says: /^the error of two controllers names both$/, since: "1.26" },
  { says: /^GET \/api\/v1\/namespaces\/default\/pods\/a\/resize is 404$/, until: "1.32" },
  { says: /^a service has a cluster address$/, since: "1.22" },
  { says: /^an autoscaler has at least one replica$/, since: "1.23" },
  { says: /^a namespaced rule has no paths$/, until: "1.33" },
  { says: /^the name of a port has a letter$/, since: "1.25" },
  // RelaxedEnvironmentVariableValidation.
  { says: /^the name of a variable (?:has no equals sign|may begin with a digit)$/, since: "1.32" },
  { says: /^a host name is a label$/, since: "1.27" },
  { says: /^an operating system is known$/, since: "1.24" },
  { says: /^(?:a privileged container may gain privileges|a resource is known)$/, until: "1.33" },
  // EphemeralContainers.
  { says: /^an ephemeral container comes later$/, since: "1.23" },
  // Gates of kinds: ServiceTrafficDistribution, JobManagedBy, JobSuccessPolicy, MatchLabelKeysInPodAffinity, AppArmorFields,
  // PodLifecycleSleepAction, RecursiveReadOnlyMounts.
  { says: /^a Service with trafficDistribution bad is refused$/, since: "1.31" },
  { says: /^a Job with managedBy bad is refused$/, since: "1.32" },
  { says: /^a Job with success .* is refused$/, since: "1.31" },
  { says: /^a Pod whose affinity has with pod matchLabelKeys .* is refused$/, since: "1.31" },
  { says: /^a Pod with apparmor bad is refused$/, since: "1.30" },
  { says: /^a container with lifecycle sleep (?:30 is accepted|is refused)$/, since: "1.30" },
  { says: /^a container with lifecycle sleep 0 is refused$/, since: "1.30", until: "1.32" },
  { says: /^a container with mount rro is refused$/, since: "1.31" },
  // Rules that changed after 1.32.
  { says: /^a Service with lb 10250 is refused$/, until: "1.32" },
  { says: /^a PersistentVolume with vac empty is accepted$/, until: "1.32" },
  { says: /^a Pod with hostUsers false hostNetwork is accepted$/, until: "1.32" },
  { says: /^a Pod with init restart Never is refused$/, until: "1.32" },
  {
    says: /^a container with (?:restartPolicy on ctr is refused|res claims missing is accepted)$/,
    until: "1.32",
  },
  { says: /^a container with (?:resize bad|procMount) is accepted$/, until: "1.32" },
];

/** The texts of this table that match no statement. */
export function unmatched(statements: readonly Statement[]): readonly string[] {
  return validities
    .filter(({ says }) => !statements.some((statement) => says.test(statement.says)))
    .map(({ says }) => says.source);
}

/** The statements that hold in a release. */
export function heldIn(release: Release, statements: readonly Statement[]): readonly Statement[] {
  const holds = ({ since, until }: Validity | Statement) =>
    (since === undefined || sinceOf(release)(since)) && (until === undefined || sinceOf(until)(release));
  return statements.filter(
    (statement) =>
      holds(statement) &&
      validities.every((validity) => !validity.says.test(statement.says) || holds(validity)),
  );
}
