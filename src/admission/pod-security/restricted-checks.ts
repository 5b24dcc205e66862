import { listAt, textAt, textsAt, valueAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import { forbiddenSeccomp, procMount, unlessUserNamespace } from "./baseline-checks.ts";
import type { Check, FindViolation, PodSecurityInput } from "./check.ts";
import {
  containersOf,
  distinct,
  namedContainers,
  namesOfMatching,
  plural,
  quoted,
  violators,
} from "./containers.ts";

const allowedVolumes: ReadonlySet<string> = new Set([
  "configMap",
  "csi",
  "downwardAPI",
  "emptyDir",
  "ephemeral",
  "persistentVolumeClaim",
  "projected",
  "secret",
]);

/**
 * The additional checks of the restricted level, in the order of the report. Upstream: pod-security-admission,
 * policy/check_*.go.
 */
export const restrictedChecks: readonly Check[] = [
  {
    id: "allowPrivilegeEscalation",
    versions: [
      { first: 8, find: allowPrivilegeEscalation },
      { first: 25, find: unlessWindows(allowPrivilegeEscalation) },
    ],
  },
  {
    id: "capabilities_restricted",
    versions: [
      { first: 22, find: capabilities, replaces: "capabilities_baseline" },
      { first: 25, find: unlessWindows(capabilities), replaces: "capabilities_baseline" },
    ],
  },
  { id: "procMount_restricted", versions: [{ first: 35, find: procMount, replaces: "procMount" }] },
  { id: "restrictedVolumes", versions: [{ first: 0, find: restrictedVolumes, replaces: "hostPathVolumes" }] },
  {
    id: "runAsNonRoot",
    versions: [
      { first: 0, find: runAsNonRoot },
      { first: 35, find: unlessUserNamespace(runAsNonRoot) },
    ],
  },
  {
    id: "runAsUser",
    versions: [
      { first: 23, find: runAsUser },
      { first: 35, find: unlessUserNamespace(runAsUser) },
    ],
  },
  {
    id: "seccompProfile_restricted",
    versions: [
      { first: 19, find: seccompProfile, replaces: "seccompProfile_baseline" },
      { first: 25, find: unlessWindows(seccompProfile), replaces: "seccompProfile_baseline" },
    ],
  },
];

/** Linux checks do not apply to Windows pods, from a version of the policy on. */
function unlessWindows(find: FindViolation): FindViolation {
  return (input) => (textAt(input.spec, "os", "name") === "windows" ? undefined : find(input));
}

function allowPrivilegeEscalation({ spec }: PodSecurityInput): string | undefined {
  const names = namesOfMatching(
    spec,
    (container) => valueAt(container, "securityContext", "allowPrivilegeEscalation") !== false,
  );
  if (names.length === 0) return undefined;
  const must = "must set securityContext.allowPrivilegeEscalation=false";
  return `allowPrivilegeEscalation != false (${namedContainers(names)} ${must})`;
}

function capabilities({ spec }: PodSecurityInput): string | undefined {
  const drops = (container: JsonObject) => textsAt(container, "securityContext", "capabilities", "drop");
  const forbidden = (container: JsonObject) =>
    textsAt(container, "securityContext", "capabilities", "add").filter(
      (name) => name !== "NET_BIND_SERVICE",
    );
  const keeping = namesOfMatching(spec, (container) => !drops(container).includes("ALL"));
  const adding = namesOfMatching(spec, (container) => forbidden(container).length > 0);
  const findings: string[] = [];
  if (keeping.length > 0) {
    findings.push(`${namedContainers(keeping)} must set securityContext.capabilities.drop=["ALL"]`);
  }
  if (adding.length > 0) {
    const added = quoted(distinct(containersOf(spec).flatMap(forbidden)));
    findings.push(`${namedContainers(adding)} must not include ${added} in securityContext.capabilities.add`);
  }
  return findings.length === 0 ? undefined : `unrestricted capabilities (${findings.join("; ")})`;
}

/** The library knows volumes of images since 1.33. */
function restrictedVolumes({ spec, since }: PodSecurityInput): string | undefined {
  const typesOf = (volume: JsonObject) =>
    Object.keys(volume)
      .filter((field) => field !== "name" && !allowedVolumes.has(field))
      .filter((field) => field !== "image" || !since("1.33"))
      .map((field) => (field === "image" ? "unknown" : field));
  const bad = listAt(spec, "volumes").filter((volume) => typesOf(volume).length > 0);
  if (bad.length === 0) return undefined;
  const names = quoted(bad.map((volume) => textAt(volume, "name")));
  const types = distinct(bad.flatMap(typesOf));
  const verb = bad.length === 1 ? "uses" : "use";
  const what = `restricted volume ${plural("type", types)} ${quoted(types)}`;
  return `restricted volume types (${plural("volume", bad)} ${names} ${verb} ${what})`;
}

function runAsNonRoot({ spec }: PodSecurityInput): string | undefined {
  const setting = (holder: JsonObject) => valueAt(holder, "securityContext", "runAsNonRoot");
  const explicit = namesOfMatching(spec, (container) => setting(container) === false);
  const isPodForbidden = setting(spec) === false;
  if (isPodForbidden || explicit.length > 0) {
    const subjects = violators({ pod: isPodForbidden, containers: explicit });
    return `runAsNonRoot != true (${subjects} must not set securityContext.runAsNonRoot=false)`;
  }
  if (setting(spec) === true) return undefined;
  const open = namesOfMatching(spec, (container) => setting(container) !== true);
  if (open.length === 0) return undefined;
  return `runAsNonRoot != true (pod or ${namedContainers(open)} must set securityContext.runAsNonRoot=true)`;
}

function runAsUser({ spec }: PodSecurityInput): string | undefined {
  const isRoot = (holder: JsonObject) => valueAt(holder, "securityContext", "runAsUser") === 0;
  const names = namesOfMatching(spec, isRoot);
  if (!isRoot(spec) && names.length === 0) return undefined;
  return `runAsUser=0 (${violators({ pod: isRoot(spec), containers: names })} must not set runAsUser=0)`;
}

function seccompProfile({ spec }: PodSecurityInput): string | undefined {
  const forbidden = forbiddenSeccomp(spec);
  if (forbidden !== undefined) return forbidden;
  const typeOf = (holder: JsonObject) => textAt(holder, "securityContext", "seccompProfile", "type");
  if (typeOf(spec) !== "") return undefined;
  const open = namesOfMatching(spec, (container) => typeOf(container) === "");
  if (open.length === 0) return undefined;
  const must = 'must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"';
  return `seccompProfile (pod or ${namedContainers(open)} ${must})`;
}
