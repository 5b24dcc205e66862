import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../apimachinery/json.ts";
import { type Release, sinceOf } from "../../apimachinery/release.ts";
import { type Level, policyToEvaluate } from "./policy.ts";
import { violations } from "./violations.ts";

/** A pod that every version of the restricted level allows, with changes to its spec and its container. */
function pod(spec: JsonObject = {}, container: JsonObject = {}, annotations: JsonObject = {}) {
  const securityContext = { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } };
  return {
    annotations,
    spec: {
      securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
      containers: [{ name: "c", securityContext, ...container }],
      ...spec,
    },
  };
}

/** The reasons of the violations, without their details. */
function reasons(level: Level, version: string, sent: ReturnType<typeof pod>, release: Release = "1.36") {
  const found = violations({ level, version }, { ...sent, since: sinceOf(release) }, release);
  return found.map((text) => text.replace(/ \(.*$/s, ""));
}

const sysctl = (name: string) =>
  pod({
    securityContext: {
      runAsNonRoot: true,
      seccompProfile: { type: "Localhost" },
      sysctls: [{ name, value: "1" }],
    },
  });
const seLinux = (type: string) =>
  pod(
    {},
    {
      securityContext: {
        allowPrivilegeEscalation: false,
        capabilities: { drop: ["ALL"] },
        seLinuxOptions: { type },
      },
    },
  );
const windows = { os: { name: "windows" } };
const plain = { securityContext: {} };
const inUserNamespace = { hostUsers: false };

/** Where a verdict changes. Upstream: pod-security-admission, policy/check_*.go. */
describe.each<
  [title: string, level: Level, pod: ReturnType<typeof pod>, reason: string, from: number, to: number]
>([
  [
    "privilege escalation",
    "restricted",
    pod({}, { securityContext: { capabilities: { drop: ["ALL"] } } }),
    "allowPrivilegeEscalation != false",
    8,
    99,
  ],
  [
    "privilege escalation on Windows",
    "restricted",
    pod(windows, { securityContext: { capabilities: { drop: ["ALL"] } } }),
    "allowPrivilegeEscalation != false",
    8,
    25,
  ],
  [
    "kept capabilities",
    "restricted",
    pod({}, { securityContext: { allowPrivilegeEscalation: false } }),
    "unrestricted capabilities",
    22,
    99,
  ],
  [
    "kept capabilities on Windows",
    "restricted",
    pod(windows, { securityContext: { allowPrivilegeEscalation: false } }),
    "unrestricted capabilities",
    22,
    25,
  ],
  [
    "an added capability",
    "baseline",
    pod({}, { securityContext: { capabilities: { add: ["NET_RAW"] } } }),
    "non-default capabilities",
    0,
    99,
  ],
  [
    "the user root",
    "restricted",
    pod({ securityContext: { runAsNonRoot: true, runAsUser: 0, seccompProfile: { type: "Localhost" } } }),
    "runAsUser=0",
    23,
    99,
  ],
  [
    "the user root of a user namespace",
    "restricted",
    pod({
      ...inUserNamespace,
      securityContext: { runAsNonRoot: true, runAsUser: 0, seccompProfile: { type: "Localhost" } },
    }),
    "runAsUser=0",
    23,
    35,
  ],
  [
    "a possible root",
    "restricted",
    pod({ securityContext: { seccompProfile: { type: "Localhost" } } }),
    "runAsNonRoot != true",
    0,
    99,
  ],
  [
    "a possible root of a user namespace",
    "restricted",
    pod({ ...inUserNamespace, securityContext: { seccompProfile: { type: "Localhost" } } }),
    "runAsNonRoot != true",
    0,
    35,
  ],
  [
    "no seccomp profile",
    "restricted",
    pod({ securityContext: { runAsNonRoot: true } }),
    "seccompProfile",
    19,
    99,
  ],
  [
    "no seccomp profile on Windows",
    "restricted",
    pod({ ...windows, securityContext: { runAsNonRoot: true } }),
    "seccompProfile",
    19,
    25,
  ],
  [
    "an unconfined profile",
    "baseline",
    pod({ securityContext: { seccompProfile: { type: "Unconfined" } } }),
    "seccompProfile",
    19,
    99,
  ],
  [
    "an unconfined annotation",
    "baseline",
    pod({}, {}, { "seccomp.security.alpha.kubernetes.io/pod": "unconfined" }),
    "seccompProfile",
    0,
    19,
  ],
  [
    "an unconfined annotation of a container",
    "restricted",
    pod({}, {}, { "container.seccomp.security.alpha.kubernetes.io/c": "unconfined" }),
    "seccompProfile",
    0,
    19,
  ],
  [
    "an unmasked /proc",
    "baseline",
    pod({}, { securityContext: { procMount: "Unmasked" } }),
    "procMount",
    0,
    99,
  ],
  [
    "an unmasked /proc of a user namespace",
    "baseline",
    pod(inUserNamespace, { securityContext: { procMount: "Unmasked" } }),
    "procMount",
    0,
    35,
  ],
  [
    "an unmasked /proc of a user namespace",
    "restricted",
    pod(inUserNamespace, {
      securityContext: {
        allowPrivilegeEscalation: false,
        capabilities: { drop: ["ALL"] },
        procMount: "Unmasked",
      },
    }),
    "procMount",
    0,
    99,
  ],
  [
    "a probe of another host",
    "baseline",
    pod({}, { readinessProbe: { httpGet: { host: "h", port: 1 } } }),
    "probe or lifecycle host",
    34,
    99,
  ],
  [
    "a hook that calls another host",
    "restricted",
    pod(
      {},
      {
        securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } },
        lifecycle: { preStop: { tcpSocket: { host: "h", port: 1 } } },
      },
    ),
    "probe or lifecycle host",
    34,
    99,
  ],
  ["the type container_engine_t", "baseline", seLinux("container_engine_t"), "seLinuxOptions", 0, 31],
  ["another SELinux type", "baseline", seLinux("spc_t"), "seLinuxOptions", 0, 99],
  ["a namespaced sysctl", "baseline", sysctl("net.ipv4.tcp_syncookies"), "forbidden sysctls", 99, 99],
  ["reserved ports", "baseline", sysctl("net.ipv4.ip_local_reserved_ports"), "forbidden sysctls", 0, 27],
  ["the time of keepalives", "baseline", sysctl("net.ipv4.tcp_keepalive_time"), "forbidden sysctls", 0, 29],
  ["receive buffers", "baseline", sysctl("net.ipv4.tcp_rmem"), "forbidden sysctls", 0, 32],
  ["another sysctl", "baseline", sysctl("kernel.msgmax"), "forbidden sysctls", 0, 99],
  [
    "a volume of the host",
    "baseline",
    pod({ volumes: [{ name: "v", hostPath: { path: "/" } }] }),
    "hostPath volumes",
    0,
    99,
  ],
  [
    "a volume of the host",
    "restricted",
    pod({ volumes: [{ name: "v", hostPath: { path: "/" } }] }),
    "restricted volume types",
    0,
    99,
  ],
  [
    "a host process",
    "baseline",
    pod({ securityContext: { windowsOptions: { hostProcess: true } } }),
    "hostProcess",
    0,
    99,
  ],
])("%s at the level %s", (_title, level, sent, reason, from, to) => {
  test.each([0, 7, 8, 18, 19, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36])(
    "in version v1.%i",
    (minor) => {
      const isViolation = minor >= from && minor < to;
      expect(reasons(level, `v1.${minor}`, sent)).toEqual(isViolation ? [reason] : []);
    },
  );
});

test("all violations are reported in the order of their checks", () => {
  const sent = pod(
    {
      hostNetwork: true,
      securityContext: { windowsOptions: { hostProcess: true }, sysctls: [{ name: "kernel.msgmax" }] },
    },
    plain,
  );
  expect(reasons("restricted", "latest", sent)).toEqual([
    "host namespaces",
    "forbidden sysctls",
    "hostProcess",
    "allowPrivilegeEscalation != false",
    "unrestricted capabilities",
    "runAsNonRoot != true",
    "seccompProfile",
  ]);
});

test("a server knows no later version than its own", () => {
  const probe = pod({}, { livenessProbe: { tcpSocket: { host: "h", port: 1 } } });
  for (const version of ["latest", "v1.33", "v1.34", "v1.99"]) {
    expect(reasons("baseline", version, probe, "1.33")).toEqual([]);
  }
  expect(reasons("baseline", "v1.99", probe, "1.34")).toEqual(["probe or lifecycle host"]);
});

test.each<[Release, readonly string[]]>([
  ["1.32", ["restricted volume types"]],
  ["1.33", []],
])("volumes of images violate the restricted level in %s: %j", (release, expected) => {
  const sent = pod({ volumes: [{ name: "v", image: { reference: "i" } }] });
  expect(reasons("restricted", "latest", sent, release)).toEqual(expected);
});

/** Upstream: pod-security-admission, api/helpers.go and its table of labels. */
describe("the policy of a namespace", () => {
  test.each<[title: string, labels: { readonly [name: string]: string }, enforce: string, warn: string]>([
    ["without labels", {}, "privileged:latest", "privileged:latest"],
    ["that enforces", { enforce: "baseline" }, "baseline:latest", "baseline:latest"],
    [
      "of a version",
      { enforce: "restricted", "enforce-version": "v1.22" },
      "restricted:v1.22",
      "restricted:v1.22",
    ],
    [
      "with a version of warnings",
      { enforce: "baseline", "enforce-version": "v1.7", "warn-version": "v1.8" },
      "baseline:v1.7",
      "baseline:v1.8",
    ],
    ["that warns", { warn: "restricted" }, "privileged:latest", "restricted:latest"],
    [
      "that warns about less",
      { enforce: "restricted", warn: "privileged" },
      "restricted:latest",
      "privileged:latest",
    ],
    [
      "that warns about more",
      { enforce: "baseline", "enforce-version": "v1.2", warn: "restricted" },
      "baseline:v1.2",
      "restricted:latest",
    ],
    ["with an unknown level", { enforce: "zed" }, "restricted:latest", "privileged:latest"],
    [
      "with an unknown level of warnings",
      { enforce: "baseline", warn: "zed" },
      "baseline:latest",
      "privileged:latest",
    ],
    [
      "with an unknown version",
      { enforce: "baseline", "enforce-version": "1.2" },
      "baseline:latest",
      "baseline:latest",
    ],
  ])("%s", (_title, labels, enforce, warn) => {
    const prefixed = Object.entries(labels).map(([name, value]) => [
      `pod-security.kubernetes.io/${name}`,
      value,
    ]);
    const policy = policyToEvaluate(Object.fromEntries(prefixed), sinceOf("1.26"));
    expect(`${policy.enforce.level}:${policy.enforce.version}`).toBe(enforce);
    expect(`${policy.warn.level}:${policy.warn.version}`).toBe(warn);
  });

  test("warns about what it enforces since 1.26", () => {
    const labels = { "pod-security.kubernetes.io/enforce": "baseline" };
    expect(policyToEvaluate(labels, sinceOf("1.25")).warn.level).toBe("privileged");
    expect(policyToEvaluate(labels, sinceOf("1.26")).warn.level).toBe("baseline");
  });
});

/** Upstream's 1.37 allows these sysctls, so its fixtures for v1.37 differ; an older server does not know that version. */
test.each(["net.ipv4.tcp_slow_start_after_idle", "net.ipv4.tcp_notsent_lowat"])(
  "%s stays forbidden in a version that is later than the server",
  (name) => {
    expect(reasons("baseline", "v1.37", sysctl(name), "1.36")).toEqual(["forbidden sysctls"]);
  },
);
