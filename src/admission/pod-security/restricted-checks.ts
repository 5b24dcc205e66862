import { listAt, textAt, textsAt, valueAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import { forbiddenSeccomp } from "./baseline-checks.ts";
import type { Check, PodSecurityInput } from "./check.ts";
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
  "image",
  "persistentVolumeClaim",
  "projected",
  "secret",
]);

/** Checks of the baseline level that a stricter check of the restricted level replaces. */
export const replacedByRestricted: ReadonlySet<string> = new Set([
  "capabilities_baseline",
  "hostPathVolumes",
  "seccompProfile_baseline",
]);

/** The additional checks of the restricted level, in the order of the report. */
export const restrictedChecks: readonly Check[] = [
  { id: "allowPrivilegeEscalation", find: unlessWindows(allowPrivilegeEscalation) },
  { id: "capabilities_restricted", find: unlessWindows(capabilities) },
  { id: "restrictedVolumes", find: restrictedVolumes },
  { id: "runAsNonRoot", find: runAsNonRoot },
  { id: "runAsUser", find: runAsUser },
  { id: "seccompProfile_restricted", find: unlessWindows(seccompProfile) },
];

/** Linux checks do not apply to Windows pods. */
function unlessWindows(find: Check["find"]): Check["find"] {
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

function restrictedVolumes({ spec }: PodSecurityInput): string | undefined {
  const typesOf = (volume: JsonObject) =>
    Object.keys(volume).filter((field) => field !== "name" && !allowedVolumes.has(field));
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
