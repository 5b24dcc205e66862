import { listAt, numberAt, objectAt, textAt, textsAt, valueAt } from "../../apimachinery/fields.ts";
import { goQuote } from "../../apimachinery/go/go-quote.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
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

const allowedCapabilities: ReadonlySet<string> = new Set(
  "AUDIT_WRITE CHOWN DAC_OVERRIDE FOWNER FSETID KILL MKNOD NET_BIND_SERVICE SETFCAP SETGID SETPCAP SETUID SYS_CHROOT".split(
    " ",
  ),
);
const seLinuxTypes: ReadonlySet<string> = new Set(["", "container_t", "container_init_t", "container_kvm_t"]);
const seLinuxTypesOf131: ReadonlySet<string> = new Set([...seLinuxTypes, "container_engine_t"]);

const safeSysctls: ReadonlySet<string> = new Set([
  "kernel.shm_rmid_forced",
  "net.ipv4.ip_local_port_range",
  "net.ipv4.ip_unprivileged_port_start",
  "net.ipv4.ping_group_range",
  "net.ipv4.tcp_syncookies",
]);
const safeSysctlsOf127: ReadonlySet<string> = new Set([...safeSysctls, "net.ipv4.ip_local_reserved_ports"]);
const safeSysctlsOf129: ReadonlySet<string> = new Set([
  ...safeSysctlsOf127,
  "net.ipv4.tcp_fin_timeout",
  "net.ipv4.tcp_keepalive_intvl",
  "net.ipv4.tcp_keepalive_probes",
  "net.ipv4.tcp_keepalive_time",
]);
const safeSysctlsOf132: ReadonlySet<string> = new Set([
  ...safeSysctlsOf129,
  "net.ipv4.tcp_rmem",
  "net.ipv4.tcp_wmem",
]);
const appArmorAnnotation = "container.apparmor.security.beta.kubernetes.io/";

/**
 * The checks of the baseline level, in the order of the report. Upstream: pod-security-admission,
 * policy/check_*.go.
 */
export const baselineChecks: readonly Check[] = [
  { id: "appArmorProfile", versions: [{ first: 0, find: appArmor }] },
  { id: "capabilities_baseline", versions: [{ first: 0, find: capabilities }] },
  { id: "hostNamespaces", versions: [{ first: 0, find: hostNamespaces }] },
  { id: "hostPathVolumes", versions: [{ first: 0, find: hostPathVolumes }] },
  { id: "hostPorts", versions: [{ first: 0, find: hostPorts }] },
  { id: "hostProbesAndHostLifecycle", versions: [{ first: 34, find: handlerHosts }] },
  { id: "privileged", versions: [{ first: 0, find: privileged }] },
  {
    id: "procMount",
    versions: [
      { first: 0, find: procMount },
      { first: 35, find: unlessUserNamespace(procMount) },
    ],
  },
  {
    id: "seLinuxOptions",
    versions: [
      { first: 0, find: (input) => seLinuxOptions(input, seLinuxTypes) },
      { first: 31, find: (input) => seLinuxOptions(input, seLinuxTypesOf131) },
    ],
  },
  {
    id: "seccompProfile_baseline",
    versions: [
      { first: 0, find: seccompAnnotations },
      { first: 19, find: ({ spec }) => forbiddenSeccomp(spec) },
    ],
  },
  {
    id: "sysctls",
    versions: [
      { first: 0, find: (input) => sysctls(input, safeSysctls) },
      { first: 27, find: (input) => sysctls(input, safeSysctlsOf127) },
      { first: 29, find: (input) => sysctls(input, safeSysctlsOf129) },
      { first: 32, find: (input) => sysctls(input, safeSysctlsOf132) },
    ],
  },
  { id: "windowsHostProcess", versions: [{ first: 0, find: hostProcess }] },
];

/** Pods in their own user namespace may do more, from a version of the policy on. */
export function unlessUserNamespace(find: FindViolation): FindViolation {
  return (input) => (input.spec["hostUsers"] === false ? undefined : find(input));
}

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

const probes = ["livenessProbe", "readinessProbe", "startupProbe"];

/** Forbids handlers of probes and of the lifecycle that reach other hosts. */
function handlerHosts({ spec }: PodSecurityInput): string | undefined {
  const hostsOf = (container: JsonObject) => {
    const lifecycle = ["postStart", "preStop"].map((name) => objectAt(container, "lifecycle", name));
    return [...probes.map((name) => objectAt(container, name)), ...lifecycle].flatMap((handler = {}) =>
      ["httpGet", "tcpSocket"].map((kind) => textAt(handler, kind, "host")).filter((host) => host !== ""),
    );
  };
  const names = distinct(namesOfMatching(spec, (container) => hostsOf(container).length > 0));
  if (names.length === 0) return undefined;
  const hosts = distinct(containersOf(spec).flatMap(hostsOf));
  const verb = names.length === 1 ? "uses" : "use";
  const what = plural("probe or lifecycle host", hosts);
  return `probe or lifecycle host (${namedContainers(names)} ${verb} ${what} ${quoted(hosts)})`;
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

/** Forbids the unmasked /proc. */
export function procMount({ spec }: PodSecurityInput): string | undefined {
  const mountOf = (container: JsonObject) => textAt(container, "securityContext", "procMount");
  const isBad = (container: JsonObject) => mountOf(container) !== "" && mountOf(container) !== "Default";
  const names = namesOfMatching(spec, isBad);
  if (names.length === 0) return undefined;
  const values = distinct(containersOf(spec).filter(isBad).map(mountOf));
  return `procMount (${namedContainers(names)} must not set securityContext.procMount to ${quoted(values)})`;
}

function seLinuxOptions({ spec }: PodSecurityInput, allowedTypes: ReadonlySet<string>): string | undefined {
  const optionsOf = (holder: JsonObject) => objectAt(holder, "securityContext", "seLinuxOptions") ?? {};
  const isBad = (holder: JsonObject) => {
    const options = optionsOf(holder);
    const hasBadType = !allowedTypes.has(textAt(options, "type"));
    return hasBadType || textAt(options, "user") !== "" || textAt(options, "role") !== "";
  };
  const names = namesOfMatching(spec, isBad);
  if (!isBad(spec) && names.length === 0) return undefined;
  const all = [spec, ...containersOf(spec)].map(optionsOf);
  const types = distinct(
    all.map((options) => textAt(options, "type")).filter((type) => !allowedTypes.has(type)),
  );
  const findings = [
    ...(types.length > 0 ? [`${plural("type", types)} ${quoted(types)}`] : []),
    ...(all.some((options) => textAt(options, "user") !== "") ? ["user may not be set"] : []),
    ...(all.some((options) => textAt(options, "role") !== "") ? ["role may not be set"] : []),
  ];
  const subjects = violators({ pod: isBad(spec), containers: names });
  return `seLinuxOptions (${subjects} set forbidden securityContext.seLinuxOptions: ${findings.join("; ")})`;
}

const podSeccomp = "seccomp.security.alpha.kubernetes.io/pod";
const containerSeccomp = "container.seccomp.security.alpha.kubernetes.io/";

/** Before policy v1.19, the profiles are those of the annotations. */
function seccompAnnotations({ annotations, spec }: PodSecurityInput): string | undefined {
  const isAllowed = (value: string) =>
    value === "runtime/default" || value === "docker/default" || value.startsWith("localhost/");
  const names = [podSeccomp, ...containersOf(spec).map((one) => containerSeccomp + textAt(one, "name"))];
  const bad = names.flatMap((name) => {
    const value = Object.hasOwn(annotations, name) ? String(annotations[name]) : undefined;
    return value === undefined || isAllowed(value) ? [] : [`${name}=${goQuote(value)}`];
  });
  if (bad.length === 0) return undefined;
  const shown = distinct(bad);
  return `seccompProfile (forbidden ${plural("annotation", shown)} ${shown.join(", ")})`;
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

function sysctls({ spec }: PodSecurityInput, allowed: ReadonlySet<string>): string | undefined {
  const names = listAt(spec, "securityContext", "sysctls")
    .map((sysctl) => textAt(sysctl, "name"))
    .filter((name) => !allowed.has(name));
  return names.length === 0 ? undefined : `forbidden sysctls (${names.join(", ")})`;
}
