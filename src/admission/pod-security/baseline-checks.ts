import { listAt, numberAt, objectAt, textAt, textsAt, valueAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
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

const allowedCapabilities: ReadonlySet<string> = new Set(
  "AUDIT_WRITE CHOWN DAC_OVERRIDE FOWNER FSETID KILL MKNOD NET_BIND_SERVICE SETFCAP SETGID SETPCAP SETUID SYS_CHROOT".split(
    " ",
  ),
);
const allowedSeLinuxTypes: ReadonlySet<string> = new Set([
  "",
  "container_t",
  "container_init_t",
  "container_kvm_t",
  "container_engine_t",
]);
const allowedSysctls: ReadonlySet<string> = new Set([
  "kernel.shm_rmid_forced",
  "net.ipv4.ip_local_port_range",
  "net.ipv4.ip_local_reserved_ports",
  "net.ipv4.ip_unprivileged_port_start",
  "net.ipv4.ping_group_range",
  "net.ipv4.tcp_fin_timeout",
  "net.ipv4.tcp_keepalive_intvl",
  "net.ipv4.tcp_keepalive_probes",
  "net.ipv4.tcp_keepalive_time",
  "net.ipv4.tcp_syncookies",
]);
const appArmorAnnotation = "container.apparmor.security.beta.kubernetes.io/";

/** The checks of the baseline level, in the order of the report. */
export const baselineChecks: readonly Check[] = [
  { id: "appArmorProfile", find: appArmor },
  { id: "capabilities_baseline", find: capabilities },
  { id: "hostNamespaces", find: hostNamespaces },
  { id: "hostPathVolumes", find: hostPathVolumes },
  { id: "hostPorts", find: hostPorts },
  { id: "hostProcess", find: hostProcess },
  { id: "privileged", find: privileged },
  { id: "procMount", find: procMount },
  { id: "seLinuxOptions", find: seLinuxOptions },
  { id: "seccompProfile_baseline", find: seccompProfile },
  { id: "sysctls", find: sysctls },
];

function appArmor({ annotations, spec }: PodSecurityInput): string | undefined {
  const profileOf = (holder: JsonObject) => textAt(holder, "securityContext", "appArmorProfile", "type");
  const isBad = (type: string) => type !== "" && type !== "RuntimeDefault" && type !== "Localhost";
  const podProfile = profileOf(spec);
  const names = namesOfMatching(spec, (container) => isBad(profileOf(container)));
  const annotated = Object.entries({ ...mirroredAnnotations(spec, profileOf), ...annotations }).filter(
    ([key, value]) => key.startsWith(appArmorAnnotation) && !isAllowedAnnotation(value),
  );
  const types = [podProfile, ...containersOf(spec).map(profileOf)].filter(isBad);
  if (types.length === 0 && annotated.length === 0) return undefined;
  const values = [...distinct(types), ...annotated.map(([key, value]) => `${key}="${value}"`)];
  const subjects = [
    ...(isBad(podProfile) ? ["pod"] : []),
    ...(names.length > 0 ? [namedContainers(names)] : []),
    ...(annotated.length > 0 ? [plural("annotation", annotated)] : []),
  ];
  // Upstream does not escape an annotation that contains quotes.
  const shown = values.map((value) => `"${value}"`).join(", ");
  const profiles = plural("profile", values);
  return `forbidden AppArmor ${profiles} (${subjects.join(" and ")} must not set AppArmor profile type to ${shown})`;
}

/** The pod strategy copies the field of a container to its annotation before admission. */
function mirroredAnnotations(spec: JsonObject, profileOf: (holder: JsonObject) => string): JsonObject {
  const unconfined = containersOf(spec).filter((container) => profileOf(container) === "Unconfined");
  return Object.fromEntries(
    unconfined.map((container) => [`${appArmorAnnotation}${textAt(container, "name")}`, "unconfined"]),
  );
}

function isAllowedAnnotation(value: unknown): boolean {
  return value === "" || value === "runtime/default" || String(value).startsWith("localhost/");
}

function capabilities({ spec }: PodSecurityInput): string | undefined {
  const forbidden = (container: JsonObject) =>
    textsAt(container, "securityContext", "capabilities", "add").filter(
      (name) => !allowedCapabilities.has(name),
    );
  const names = namesOfMatching(spec, (container) => forbidden(container).length > 0);
  if (names.length === 0) return undefined;
  const added = distinct(containersOf(spec).flatMap(forbidden));
  return `non-default capabilities (${namedContainers(names)} must not include ${quoted(added)} in securityContext.capabilities.add)`;
}

function hostNamespaces({ spec }: PodSecurityInput): string | undefined {
  const used = ["hostNetwork", "hostPID", "hostIPC"].filter((field) => spec[field] === true);
  return used.length === 0
    ? undefined
    : `host namespaces (${used.map((field) => `${field}=true`).join(", ")})`;
}

function hostPathVolumes({ spec }: PodSecurityInput): string | undefined {
  const names = listAt(spec, "volumes")
    .filter((volume) => objectAt(volume, "hostPath") !== undefined)
    .map((volume) => textAt(volume, "name"));
  if (names.length === 0) return undefined;
  return `hostPath volumes (${plural("volume", names)} ${quoted(names)})`;
}

function hostPorts({ spec }: PodSecurityInput): string | undefined {
  const portsOf = (container: JsonObject) =>
    listAt(container, "ports")
      .map((port) => numberAt(port, "hostPort"))
      .filter((port) => port !== 0);
  const names = namesOfMatching(spec, (container) => portsOf(container).length > 0);
  if (names.length === 0) return undefined;
  const ports = distinct(containersOf(spec).flatMap(portsOf).map(String));
  const verb = names.length === 1 ? "uses" : "use";
  return `hostPort (${namedContainers(names)} ${verb} ${plural("hostPort", ports)} ${ports.join(", ")})`;
}

function hostProcess({ spec }: PodSecurityInput): string | undefined {
  const isSet = (holder: JsonObject) =>
    valueAt(holder, "securityContext", "windowsOptions", "hostProcess") === true;
  const names = namesOfMatching(spec, isSet);
  if (!isSet(spec) && names.length === 0) return undefined;
  const subjects = violators({ pod: isSet(spec), containers: names });
  return `hostProcess (${subjects} must not set securityContext.windowsOptions.hostProcess=true)`;
}

function privileged({ spec }: PodSecurityInput): string | undefined {
  const names = namesOfMatching(
    spec,
    (container) => valueAt(container, "securityContext", "privileged") === true,
  );
  if (names.length === 0) return undefined;
  return `privileged (${namedContainers(names)} must not set securityContext.privileged=true)`;
}

/** A pod in its own user namespace can use the unmasked /proc. */
function procMount({ spec }: PodSecurityInput): string | undefined {
  if (spec["hostUsers"] === false) return undefined;
  const mountOf = (container: JsonObject) => textAt(container, "securityContext", "procMount");
  const isBad = (container: JsonObject) => mountOf(container) !== "" && mountOf(container) !== "Default";
  const names = namesOfMatching(spec, isBad);
  if (names.length === 0) return undefined;
  const values = distinct(containersOf(spec).filter(isBad).map(mountOf));
  return `procMount (${namedContainers(names)} must not set securityContext.procMount to ${quoted(values)})`;
}

function seLinuxOptions({ spec }: PodSecurityInput): string | undefined {
  const optionsOf = (holder: JsonObject) => objectAt(holder, "securityContext", "seLinuxOptions") ?? {};
  const isBad = (holder: JsonObject) => {
    const options = optionsOf(holder);
    const hasBadType = !allowedSeLinuxTypes.has(textAt(options, "type"));
    return hasBadType || textAt(options, "user") !== "" || textAt(options, "role") !== "";
  };
  const names = namesOfMatching(spec, isBad);
  if (!isBad(spec) && names.length === 0) return undefined;
  const all = [spec, ...containersOf(spec)].map(optionsOf);
  const types = distinct(
    all.map((options) => textAt(options, "type")).filter((type) => !allowedSeLinuxTypes.has(type)),
  );
  const findings = [
    ...(types.length > 0 ? [`${plural("type", types)} ${quoted(types)}`] : []),
    ...(all.some((options) => textAt(options, "user") !== "") ? ["user may not be set"] : []),
    ...(all.some((options) => textAt(options, "role") !== "") ? ["role may not be set"] : []),
  ];
  const subjects = violators({ pod: isBad(spec), containers: names });
  return `seLinuxOptions (${subjects} set forbidden securityContext.seLinuxOptions: ${findings.join("; ")})`;
}

function seccompProfile({ spec }: PodSecurityInput): string | undefined {
  return forbiddenSeccomp(spec);
}

/** Seccomp profiles that only the privileged level allows. */
export function forbiddenSeccomp(spec: JsonObject): string | undefined {
  const typeOf = (holder: JsonObject) => textAt(holder, "securityContext", "seccompProfile", "type");
  const isBad = (holder: JsonObject) => !["", "RuntimeDefault", "Localhost"].includes(typeOf(holder));
  const names = namesOfMatching(spec, isBad);
  if (!isBad(spec) && names.length === 0) return undefined;
  const types = distinct([spec, ...containersOf(spec)].filter(isBad).map(typeOf));
  const subjects = violators({ pod: isBad(spec), containers: names });
  return `seccompProfile (${subjects} must not set securityContext.seccompProfile.type to ${quoted(types)})`;
}

function sysctls({ spec }: PodSecurityInput): string | undefined {
  const names = listAt(spec, "securityContext", "sysctls")
    .map((sysctl) => textAt(sysctl, "name"))
    .filter((name) => !allowedSysctls.has(name));
  return names.length === 0 ? undefined : `forbidden sysctls (${names.join(", ")})`;
}
