import { expect, test } from "vitest";
import type { Release } from "../../apimachinery/release.ts";
import { featureGates } from "../../catalog/feature-gates.ts";
import { sysctlProblem } from "./sysctl-admission.ts";

/** Upstream: pkg/kubelet/sysctl/allowlist_test.go, with the safe sysctls of each release. */
test.each<[release: Release, name: string, spec: object, problem: string | undefined]>([
  ["1.36", "kernel.shm_rmid_forced", {}, undefined],
  ["1.36", "kernel/shm_rmid_forced", {}, undefined],
  ["1.36", "kernel/msgmax", {}, '"kernel.msgmax" not allowlisted'],
  ["1.36", "net.ipv4.conf.eth0/1.forwarding", {}, '"net.ipv4.conf.eth0/1.forwarding" not allowlisted'],
  ["1.32", "net.ipv4.tcp_rmem", {}, undefined],
  ["1.31", "net.ipv4.tcp_rmem", {}, '"net.ipv4.tcp_rmem" not allowlisted'],
  ["1.29", "net.ipv4.tcp_keepalive_time", {}, undefined],
  ["1.28", "net.ipv4.tcp_keepalive_time", {}, '"net.ipv4.tcp_keepalive_time" not allowlisted'],
  ["1.27", "net.ipv4.ip_local_reserved_ports", {}, undefined],
  ["1.26", "net.ipv4.ip_local_reserved_ports", {}, '"net.ipv4.ip_local_reserved_ports" not allowlisted'],
  ["1.22", "net.ipv4.ip_unprivileged_port_start", {}, undefined],
  ["1.21", "kernel.msgmax", {}, '"kernel.msgmax" not whitelisted'],
  ["1.18", "net.ipv4.ping_group_range", {}, undefined],
  ["1.17", "net.ipv4.ping_group_range", {}, '"net.ipv4.ping_group_range" not whitelisted'],
  [
    "1.30",
    "net.ipv4.tcp_syncookies",
    { hostNetwork: true },
    '"net.ipv4.tcp_syncookies" not allowed with host net enabled',
  ],
  [
    "1.30",
    "kernel.shm_rmid_forced",
    { hostIPC: true },
    '"kernel.shm_rmid_forced" not allowed with host ipc enabled',
  ],
  ["1.30", "kernel.shm_rmid_forced", { hostNetwork: true }, undefined],
])("in %s, a pod with the sysctl %s and %j: %s", (release, name, spec, problem) => {
  const securityContext = { sysctls: [{ name, value: "0" }] };
  const pod = { apiVersion: "v1", kind: "Pod", metadata: {}, spec: { ...spec, securityContext } };
  const expected = problem === undefined ? undefined : `forbidden sysctl: ${problem}`;
  expect(sysctlProblem(pod, featureGates(release))).toBe(expected);
});
