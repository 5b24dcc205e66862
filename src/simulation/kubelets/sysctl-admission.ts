import { booleanAt, listAt, textAt } from "../../apimachinery/fields.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { Release } from "../../apimachinery/release.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";

/** The sysctls that pods may set, by the first release that counts them as safe (pkg/kubelet/sysctl/safe_sysctls.go). */
const safeSysctls: ReadonlyMap<string, Release> = new Map([
  ["kernel.shm_rmid_forced", "1.16"],
  ["net.ipv4.ip_local_port_range", "1.16"],
  ["net.ipv4.tcp_syncookies", "1.16"],
  ["net.ipv4.ping_group_range", "1.18"],
  ["net.ipv4.ip_unprivileged_port_start", "1.22"],
  ["net.ipv4.ip_local_reserved_ports", "1.27"],
  ["net.ipv4.tcp_keepalive_time", "1.29"],
  ["net.ipv4.tcp_fin_timeout", "1.29"],
  ["net.ipv4.tcp_keepalive_intvl", "1.29"],
  ["net.ipv4.tcp_keepalive_probes", "1.29"],
  ["net.ipv4.tcp_rmem", "1.32"],
  ["net.ipv4.tcp_wmem", "1.32"],
]);

/** Why a kubelet refuses the sysctls of a pod; undefined if it does not. Upstream: pkg/kubelet/sysctl/allowlist.go. */
export function sysctlProblem(pod: KubeObject, gates: FeatureGates): string | undefined {
  for (const sysctl of listAt(pod, "spec", "securityContext", "sysctls")) {
    const problem = problemOf(pod, withDots(textAt(sysctl, "name")), gates);
    if (problem !== undefined) return `forbidden sysctl: ${problem}`;
  }
  return undefined;
}

function problemOf(pod: KubeObject, name: string, { since }: FeatureGates): string | undefined {
  const first = safeSysctls.get(name);
  if (first === undefined || !since(first))
    return `"${name}" ${since("1.22") ? "not allowlisted" : "not whitelisted"}`;
  const [namespace, field] = name.startsWith("net.") ? ["net", "hostNetwork"] : ["ipc", "hostIPC"];
  return booleanAt(pod, "spec", field) ? `"${name}" not allowed with host ${namespace} enabled` : undefined;
}

/** A name may have slashes as separators; slashes and dots are swapped then (`ConvertSysctlVariableToDotsSeparator`). */
function withDots(name: string): string {
  if (/[./]/.exec(name)?.[0] !== "/") return name;
  return name.replace(/[./]/g, (separator) => (separator === "/" ? "." : "/"));
}
