import type { Statement } from "../statement.ts";
import { kindStatements, letters, podSpec, pods } from "./kind-cases.ts";

export const podsStatements: readonly Statement[] = [
  ...kindStatements(
    {
      subject: "a Pod",
      source: "kubernetes, pkg/apis/core/validation/validation_test.go, TestValidatePodSpec",
      target: pods,
      body: (changes) => podSpec(changes),
    },
    [
      ["nodeName bad", { nodeName: "A_" }, "spec.nodeName"],
      ["activeDeadline 0", { activeDeadlineSeconds: 0 }, "spec.activeDeadlineSeconds"],
      ["pullSecrets empty name", { imagePullSecrets: [{ name: "" }] }],
      [
        "hostNetwork hostPort mismatch",
        {
          hostNetwork: true,
          containers: [{ name: "c", image: "i", ports: [{ containerPort: 8080, hostPort: 8081 }] }],
        },
        "spec.containers[0].ports[0].hostPort",
      ],
      [
        "shareProcessNamespace+hostPID",
        { hostPID: true, shareProcessNamespace: true },
        "spec.securityContext.shareProcessNamespace",
      ],
      ["schedulerName bad", { schedulerName: "a@b" }],
      [
        "readinessGates bad",
        { readinessGates: [{ conditionType: "invalid/condition/type" }] },
        "spec.readinessGates[0].conditionType",
      ],
      ["readinessGates", { readinessGates: [{ conditionType: "example.com/condition" }] }],
      ["subdomain bad", { subdomain: "a.b" }, "spec.subdomain"],
      ["hostAliases", { hostAliases: [{ ip: "12.34.56.78", hostnames: ["host1", "host2"] }] }],
      [
        "hostAliases bad host",
        { hostAliases: [{ ip: "12.34.56.78", hostnames: ["@#$^#@#$"] }] },
        "spec.hostAliases[0].hostnames[0]",
      ],
      ["tolerations empty key Exists", { tolerations: [{ operator: "Exists" }] }],
      [
        "tol empty key Equal",
        { tolerations: [{ operator: "Equal", value: "x" }] },
        "spec.tolerations[0].operator",
      ],
      [
        "tol exists value",
        { tolerations: [{ key: "a", operator: "Exists", value: "x" }] },
        "spec.tolerations[0].operator",
      ],
      [
        "tol bad effect",
        { tolerations: [{ key: "a", operator: "Exists", effect: "Q" }] },
        "spec.tolerations[0].effect",
      ],
      [
        "tol seconds wrong effect",
        { tolerations: [{ key: "a", operator: "Exists", effect: "NoSchedule", tolerationSeconds: 20 }] },
        "spec.tolerations[0].effect",
      ],
      [
        "tol seconds neg",
        { tolerations: [{ key: "a", operator: "Exists", effect: "NoExecute", tolerationSeconds: -1 }] },
      ],
      [
        "tol bad key",
        { tolerations: [{ key: "nospecialchars^=@", operator: "Equal", value: "x" }] },
        "spec.tolerations[0].key",
      ],
      [
        "tol bad value",
        { tolerations: [{ key: "a", operator: "Equal", value: "a b" }] },
        "spec.tolerations[0].operator",
      ],
      ["tol op unknown", { tolerations: [{ key: "a", operator: "In" }] }, "spec.tolerations[0].operator"],
      [
        "tsc dup",
        {
          topologySpreadConstraints: [
            { maxSkew: 1, topologyKey: "z", whenUnsatisfiable: "DoNotSchedule" },
            { maxSkew: 2, topologyKey: "z", whenUnsatisfiable: "DoNotSchedule" },
          ],
        },
        "spec.topologySpreadConstraints[0].{topologyKey, whenUnsatisfiable}",
      ],
      ["gates dup", { schedulingGates: [{ name: "foo" }, { name: "foo" }] }, "spec.schedulingGates[1]"],
      ["gates bad", { schedulingGates: [{ name: "x@y" }] }, "spec.schedulingGates[0]"],
      ["gates empty", { schedulingGates: [{ name: "" }] }, "spec.schedulingGates[0]"],
      ["gates+nodeName", { nodeName: "n", schedulingGates: [{ name: "foo" }] }, "spec.nodeName"],
      [
        "os linux windowsOptions",
        { os: { name: "linux" }, securityContext: { windowsOptions: { runAsUserName: "x" } } },
        "spec.securityContext.windowsOptions",
      ],
      ["os windows hostPID", { os: { name: "windows" }, hostPID: true }, "spec.hostPID"],
      [
        "os windows runAsUser",
        {
          os: { name: "windows" },
          containers: [{ name: "c", image: "i", securityContext: { runAsUser: 1 } }],
        },
        "spec.containers[0].securityContext.runAsUser",
      ],
      ["os empty", { os: { name: "" } }, "spec.os.name"],
      [
        "dnsConfig 4 ns",
        { dnsConfig: { nameservers: ["1.1.1.1", "1.1.1.2", "1.1.1.3", "1.1.1.4"] } },
        "spec.dnsConfig.nameservers",
      ],
      ["dnsConfig ns host", { dnsConfig: { nameservers: ["a.b"] } }, "spec.dnsConfig.nameservers[0]"],
      ["dnsConfig search bad", { dnsConfig: { searches: ["-a.b"] } }, "spec.dnsConfig.searches[0]"],
      ["dnsConfig search dot", { dnsConfig: { searches: ["a.b."] } }],
      [
        "dnsConfig search 33",
        { dnsConfig: { searches: Array.from({ length: 33 }, (_, i) => `a${i}`) } },
        "spec.dnsConfig.searches",
      ],
      [
        "dnsConfig search long",
        {
          dnsConfig: {
            searches: Array.from({ length: 32 }, (_, i) => letters(60) + String(i).padStart(3, "0")),
          },
        },
      ],
      ["dnsConfig opt empty", { dnsConfig: { options: [{ value: "x" }] } }, "spec.dnsConfig.options[0]"],
      ["dns None empty", { dnsPolicy: "None", dnsConfig: {} }, "spec.dnsConfig.nameservers"],
      ["dns None ok", { dnsPolicy: "None", dnsConfig: { nameservers: ["1.1.1.1"] } }],
      [
        "secctx supp neg",
        { securityContext: { supplementalGroups: [-1] } },
        "spec.securityContext.supplementalGroups[0]",
      ],
      [
        "secctx fsGroupChange",
        { securityContext: { fsGroupChangePolicy: "Q" } },
        "spec.securityContext.fsGroupChangePolicy",
      ],
      [
        "sysctl dup",
        {
          securityContext: {
            sysctls: [
              { name: "kernel.msgmax", value: "1" },
              { name: "kernel.msgmax", value: "2" },
            ],
          },
        },
        "spec.securityContext.sysctls[1].name",
      ],
      [
        "sysctl bad",
        { securityContext: { sysctls: [{ name: "i@v", value: "1" }] } },
        "spec.securityContext.sysctls[0].name",
      ],
      [
        "sysctl slash",
        { securityContext: { sysctls: [{ name: "net/ipv4/conf/enp3s0.200/forwarding", value: "1" }] } },
      ],
      [
        "sysctl hostnet",
        { hostNetwork: true, securityContext: { sysctls: [{ name: "net.ipv4.ip_forward", value: "1" }] } },
        "spec.securityContext.sysctls[0].name",
      ],
      [
        "sysctl hostipc",
        { hostIPC: true, securityContext: { sysctls: [{ name: "kernel.shm_rmid_forced", value: "1" }] } },
        "spec.securityContext.sysctls[0].name",
      ],
      [
        "seccomp localhost no path",
        { securityContext: { seccompProfile: { type: "Localhost" } } },
        "spec.securityContext.seccompProfile.localhostProfile",
      ],
      [
        "seccomp localhost ..",
        { securityContext: { seccompProfile: { type: "Localhost", localhostProfile: "../x" } } },
        "spec.securityContext.seccompProfile.localhostProfile",
      ],
      [
        "seccomp localhost abs",
        { securityContext: { seccompProfile: { type: "Localhost", localhostProfile: "/x" } } },
        "spec.securityContext.seccompProfile.localhostProfile",
      ],
      [
        "seccomp rt with path",
        { securityContext: { seccompProfile: { type: "RuntimeDefault", localhostProfile: "x" } } },
        "spec.securityContext.seccompProfile.localhostProfile",
      ],
      [
        "seccomp annotation",
        {},
        "metadata.annotations.seccomp.security.alpha.kubernetes.io/pod",
        { annotations: { "seccomp.security.alpha.kubernetes.io/pod": "foo" } },
      ],
      [
        "apparmor bad",
        { securityContext: { appArmorProfile: { type: "Localhost", localhostProfile: " x" } } },
        "spec.securityContext.appArmorProfile.localhostProfile",
      ],
      [
        "apparmor annotation no container",
        {},
        "metadata.annotations[container.apparmor.security.beta.kubernetes.io/zzz]",
        { annotations: { "container.apparmor.security.beta.kubernetes.io/zzz": "runtime/default" } },
      ],
      [
        "apparmor annotation bad",
        {},
        "metadata.annotations[container.apparmor.security.beta.kubernetes.io/c]",
        { annotations: { "container.apparmor.security.beta.kubernetes.io/c": "bad-profile" } },
      ],
      [
        "win gmsa name",
        { securityContext: { windowsOptions: { gmsaCredentialSpecName: "not a valid k8s resource name" } } },
        "spec.securityContext.windowsOptions.gmsaCredentialSpecName",
      ],
      [
        "win gmsa empty",
        { securityContext: { windowsOptions: { gmsaCredentialSpec: "" } } },
        "spec.securityContext.windowsOptions.gmsaCredentialSpec",
      ],
      [
        "win user",
        { securityContext: { windowsOptions: { runAsUserName: "too\\many\\bs" } } },
        "spec.securityContext.windowsOptions.runAsUserName",
      ],
      [
        "win user ctrl",
        { securityContext: { windowsOptions: { runAsUserName: "a\u0001b" } } },
        "spec.securityContext.windowsOptions.runAsUserName",
      ],
      [
        "win user dot",
        { securityContext: { windowsOptions: { runAsUserName: ".." } } },
        "spec.securityContext.windowsOptions.runAsUserName",
      ],
      [
        "win user long",
        { securityContext: { windowsOptions: { runAsUserName: letters(105) } } },
        "spec.securityContext.windowsOptions.runAsUserName",
      ],
      [
        "win domain long",
        { securityContext: { windowsOptions: { runAsUserName: `${letters(257)}\\u` } } },
        "spec.securityContext.windowsOptions.runAsUserName",
      ],
      [
        "win user virtual",
        { securityContext: { windowsOptions: { runAsUserName: "NT AUTHORITY\\SYSTEM" } } },
      ],
      ["win hostProcess", { securityContext: { windowsOptions: { hostProcess: true } } }, "spec.hostNetwork"],
      ["hostUsers false hostNetwork", { hostUsers: false, hostNetwork: true }],
      ["setHostnameAsFQDN", { setHostnameAsFQDN: true, hostNetwork: true }],
      ["restart OnFailure", { restartPolicy: "OnFailure" }],
      ["termination grace null", { terminationGracePeriodSeconds: null }],
      ["ephemeral", { ephemeralContainers: [{ name: "e", image: "i" }] }, "spec.ephemeralContainers"],
      ["init dup", { initContainers: [{ name: "c", image: "i" }] }, "spec.initContainers[0].name"],
      [
        "init lifecycle",
        { initContainers: [{ name: "i", image: "i", lifecycle: { preStop: { exec: { command: ["a"] } } } }] },
        "spec.initContainers[0].lifecycle",
      ],
      [
        "init probe",
        { initContainers: [{ name: "i", image: "i", livenessProbe: { exec: { command: ["a"] } } }] },
        "spec.initContainers[0].livenessProbe",
      ],
      [
        "init sidecar probe",
        {
          initContainers: [
            { name: "i", image: "i", restartPolicy: "Always", livenessProbe: { exec: { command: ["a"] } } },
          ],
        },
      ],
      [
        "init restart Never",
        { initContainers: [{ name: "i", image: "i", restartPolicy: "Never" }] },
        "spec.initContainers[0].restartPolicy",
      ],
      [
        "vol name dup",
        {
          volumes: [
            { name: "v", emptyDir: {} },
            { name: "v", emptyDir: {} },
          ],
        },
        "spec.volumes[1].name",
      ],
      ["vol name bad", { volumes: [{ name: "a.b", emptyDir: {} }] }, "spec.volumes[0].name"],
      ["vol name long", { volumes: [{ name: letters(64), emptyDir: {} }] }, "spec.volumes[0].name"],
    ],
  ),
];
