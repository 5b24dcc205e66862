import { objectAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import { fieldLines, type StructField, structDiff } from "./struct-diff.ts";

type Kind = StructField["kind"];

/** In the order of upstream's internal type, which keeps the namespaces of the host with the security context. */
const podSpecFields: readonly StructField[] = [
  field("Volumes", "list"),
  field("InitContainers", "list"),
  field("Containers", "list"),
  field("EphemeralContainers", "list"),
  field("RestartPolicy", "text"),
  field("TerminationGracePeriodSeconds", "pointer"),
  field("ActiveDeadlineSeconds", "pointer"),
  field("DNSPolicy", "text", "dnsPolicy"),
  field("NodeSelector", "list"),
  field("ServiceAccountName", "text"),
  field("AutomountServiceAccountToken", "pointer"),
  field("NodeName", "text"),
  { name: "SecurityContext", kind: "pointer", read: securityContext },
  field("ImagePullSecrets", "list"),
  field("Hostname", "text"),
  field("Subdomain", "text"),
  field("SetHostnameAsFQDN", "pointer", "setHostnameAsFQDN"),
  field("Affinity", "pointer"),
  field("SchedulerName", "text"),
  field("Tolerations", "list"),
  field("HostAliases", "list"),
  field("PriorityClassName", "text"),
  field("Priority", "pointer"),
  field("PreemptionPolicy", "pointer"),
  field("DNSConfig", "pointer", "dnsConfig"),
  field("ReadinessGates", "list"),
  field("RuntimeClassName", "pointer"),
  field("Overhead", "list"),
  field("EnableServiceLinks", "pointer"),
  field("TopologySpreadConstraints", "list"),
  field("OS", "pointer", "os"),
  field("SchedulingGates", "list"),
  field("ResourceClaims", "list"),
  field("Resources", "pointer"),
];

const containerFields: readonly StructField[] = [
  field("Name", "text"),
  field("Image", "text"),
  field("Command", "list"),
  field("Args", "list"),
  field("WorkingDir", "text"),
  field("Ports", "list"),
  field("EnvFrom", "list"),
  field("Env", "list"),
  field("Resources", "struct"),
  field("ResizePolicy", "list"),
  field("RestartPolicy", "pointer"),
  field("VolumeMounts", "list"),
  field("VolumeDevices", "list"),
  field("LivenessProbe", "pointer"),
  field("ReadinessProbe", "pointer"),
  field("StartupProbe", "pointer"),
  field("Lifecycle", "pointer"),
  field("TerminationMessagePath", "text"),
  field("TerminationMessagePolicy", "text"),
  field("ImagePullPolicy", "text"),
  field("SecurityContext", "pointer"),
  field("Stdin", "boolean"),
  field("StdinOnce", "boolean"),
  field("TTY", "boolean", "tty"),
];

/** How two specs of a pod differ, in the manner of Go. */
export function podSpecDiff(old: JsonObject, now: JsonObject): string {
  return structDiff("core.PodSpec", podSpecFields, old, now);
}

/** How two ephemeral containers differ, in the manner of Go. */
export function ephemeralContainerDiff(old: JsonObject, now: JsonObject): string {
  const inner = "\u00a0\u00a0";
  const target = field("TargetContainerName", "text");
  return [
    `${inner}core.EphemeralContainer{`,
    `${inner}\tEphemeralContainerCommon: core.EphemeralContainerCommon{`,
    ...fieldLines(containerFields, old, now, "\t\t"),
    `${inner}\t},`,
    ...targetLines(target, old, now),
    `${inner}}`,
    "",
  ].join("\n");
}

function targetLines(target: StructField, old: JsonObject, now: JsonObject): readonly string[] {
  const lines = fieldLines([target], old, now, "\t");
  // Alone it is shown, changed or not.
  if (target.read(old) !== target.read(now)) return lines;
  return [`\u00a0\u00a0\tTargetContainerName: ${JSON.stringify(target.read(now) ?? "")},`];
}

function field(name: string, kind: Kind, jsonName: string = lowerFirst(name)): StructField {
  return { name, kind, read: (object) => object[jsonName] };
}

function lowerFirst(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

const hostFields = ["hostNetwork", "hostPID", "hostIPC", "shareProcessNamespace", "hostUsers"];

function securityContext(spec: JsonObject): JsonObject | undefined {
  const context = objectAt(spec, "securityContext");
  const host = hostFields.filter((name) => spec[name] !== undefined);
  if (context === undefined && host.length === 0) return undefined;
  return { ...Object.fromEntries(host.map((name) => [name, spec[name] ?? null])), ...context };
}
