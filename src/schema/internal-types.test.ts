import { describe, expect, test } from "vitest";
import { fieldErrorLines } from "../../test/field-errors.ts";
import { fieldInvalid } from "../apimachinery/errors/field.ts";
import { goShapeJson } from "../apimachinery/go/go-shape-json.ts";
import { goShapeText } from "../apimachinery/go/go-shape-text.ts";
import { typedValue } from "../apimachinery/go/go-value.ts";
import type { GroupVersion } from "../apimachinery/group-version.ts";
import type { JsonObject, JsonValue } from "../apimachinery/json.ts";
import { type Release, sinceOf } from "../apimachinery/release.ts";
import { internalTypes } from "./internal-types.ts";

const coreV1: GroupVersion = { group: "", version: "v1" };

interface Texts {
  readonly text: string;
  readonly json: string;
}

/** A value as messages show it: as Go syntax until 1.33, and as JSON since 1.34. */
function printed(type: string, value: JsonValue, stored = coreV1): Texts {
  return {
    text: goShapeText(internalTypes(sinceOf("1.33"), stored)(type), value),
    json: goShapeJson(internalTypes(sinceOf("1.34"), stored)(type), value),
  };
}

function shown(template: JsonObject): Texts {
  return printed("core.PodTemplateSpec", template);
}

const source = /VolumeSource:core\.VolumeSource\{([^}]*)\}/;

test("a template prints as upstream's internal type", () => {
  const { text } = shown({
    metadata: { creationTimestamp: null, labels: { app: "web" } },
    spec: {
      containers: [
        {
          name: "c",
          image: "i",
          ports: [{ containerPort: 80, protocol: "TCP" }],
          env: [{ name: "A", value: "1" }],
          resources: { requests: { cpu: "1" } },
          volumeMounts: [{ name: "v", mountPath: "/v" }],
          tty: true,
        },
      ],
      volumes: [{ name: "v", cephfs: {} }],
      tolerations: [{ key: "k", operator: "Exists" }],
      hostAliases: [{ ip: "10.0.0.1", hostnames: ["a"] }],
      dnsPolicy: "None",
      setHostnameAsFQDN: true,
      os: { name: "linux" },
    },
  });
  expect(text).toMatch(/^core\.PodTemplateSpec\{ObjectMeta:v1\.ObjectMeta\{Name:"", GenerateName:""/);
  for (const part of [
    "CreationTimestamp:time.Date(1, time.January, 1, 0, 0, 0, 0, time.UTC), DeletionTimestamp:<nil>,",
    'Labels:map[string]string{"app":"web"}',
    'Ports:[]core.ContainerPort{core.ContainerPort{Name:"", HostPort:0, ContainerPort:80, Protocol:"TCP", HostIP:""}}',
    'Env:[]core.EnvVar{core.EnvVar{Name:"A", Value:"1", ValueFrom:(*core.EnvVarSource)(nil)}}',
    'Requests:core.ResourceList{"cpu":resource.Quantity{',
    'core.VolumeMount{Name:"v", ReadOnly:false, RecursiveReadOnly:(*core.RecursiveReadOnlyMode)(nil), MountPath:"/v", SubPath:"", MountPropagation:(*core.MountPropagationMode)(nil), SubPathExpr:""}',
    "Stdin:false, StdinOnce:false, TTY:true}",
    'core.Toleration{Key:"k", Operator:"Exists", Value:"", Effect:"", TolerationSeconds:(*int64)(nil)}',
    'core.HostAlias{IP:"10.0.0.1", Hostnames:[]string{"a"}}',
    'DNSPolicy:"None"',
    "SetHostnameAsFQDN:(*bool)(0xc000000000)",
    "OS:(*core.PodOS)(0xc000000000)",
    "Resources:(*core.ResourceRequirements)(nil)}}",
  ]) {
    expect(text).toContain(part);
  }
});

test("a volume shows which source it has, among all there are", () => {
  const { text } = shown({ spec: { volumes: [{ name: "v", cephfs: {} }] } });
  const pointers = source.exec(text)?.[1]?.split(", ") ?? [];
  expect(pointers).toHaveLength(30);
  expect(pointers.filter((pointer) => !pointer.endsWith("(nil)"))).toEqual([
    "CephFS:(*core.CephFSVolumeSource)(0xc000000000)",
  ]);
});

test("a template shows in JSON by the names of Go, with all that is not set", () => {
  const { json } = shown({
    metadata: { labels: { app: "web" }, creationTimestamp: null },
    spec: {
      containers: [
        {
          name: "c",
          image: "i",
          ports: [{ containerPort: 80, protocol: "TCP" }],
          resources: { requests: { cpu: "1" } },
          livenessProbe: { httpGet: { path: "/<", port: "web" } },
        },
      ],
      volumes: [{ name: "v", emptyDir: { sizeLimit: "1Gi" } }],
      hostNetwork: true,
      securityContext: { runAsUser: 0 },
    },
  });
  expect(json).toMatch(/^\{"labels":\{"app":"web"\},"Spec":\{"Volumes":\[\{"Name":"v","HostPath":null,/);
  for (const part of [
    '"EmptyDir":{"Medium":"","SizeLimit":"1Gi"}',
    '"Containers":[{"Name":"c","Image":"i","Command":null,"Args":null,"WorkingDir":"","Ports":[{"Name":"","HostPort":0,"ContainerPort":80,"Protocol":"TCP","HostIP":""}],"EnvFrom":null,"Env":null,"Resources":{"Limits":null,"Requests":{"cpu":"1"},"Claims":null}',
    '"LivenessProbe":{"Exec":null,"HTTPGet":{"Path":"/\\u003c","Port":"web","Host":"","Scheme":"","HTTPHeaders":null},"TCPSocket":null,"GRPC":null,',
    '"SecurityContext":{"HostNetwork":true,"HostPID":false,"HostIPC":false,"ShareProcessNamespace":null,"HostUsers":null,',
    '"RunAsUser":0,"RunAsGroup":null',
    '"EphemeralContainers":null,"RestartPolicy":""',
  ]) {
    expect(json).toContain(part);
  }
});

describe("a type of the catalog prints by its internal form:", () => {
  test.each<[title: string, type: string, value: JsonValue, text: string, json: string]>([
    [
      "a number or a text, which has a number",
      "intstr.IntOrString",
      5,
      'intstr.IntOrString{Type:0, IntVal:5, StrVal:""}',
      "5",
    ],
    [
      "a number or a text, which has a text",
      "intstr.IntOrString",
      "5%",
      'intstr.IntOrString{Type:1, IntVal:0, StrVal:"5%"}',
      '"5%"',
    ],
    [
      "a quantity",
      "resource.Quantity",
      "100m",
      'resource.Quantity{i:resource.int64Amount{value:100, scale:-3}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:"100m", Format:"DecimalSI"}',
      '"100m"',
    ],
    [
      "a list of a named text",
      "[]core.ResourceQuotaScope",
      ["Terminating"],
      '[]core.ResourceQuotaScope{"Terminating"}',
      '["Terminating"]',
    ],
    ["a map of texts", "map[string]string", { a: "1" }, 'map[string]string{"a":"1"}', '{"a":"1"}'],
    [
      "a selector, which has names for JSON",
      "v1.LabelSelector",
      { matchExpressions: [{ key: "a", operator: "In", values: ["b"] }] },
      'v1.LabelSelector{MatchLabels:map[string]string(nil), MatchExpressions:[]v1.LabelSelectorRequirement{v1.LabelSelectorRequirement{Key:"a", Operator:"In", Values:[]string{"b"}}}}',
      '{"matchExpressions":[{"key":"a","operator":"In","values":["b"]}]}',
    ],
    [
      "a pointer of the version that the internal type has as a value",
      "apps.RollingUpdateStatefulSetStrategy",
      {},
      "apps.RollingUpdateStatefulSetStrategy{Partition:0, MaxUnavailable:(*intstr.IntOrString)(nil)}",
      '{"Partition":0,"MaxUnavailable":null}',
    ],
  ])("%s", (_title, type, value, text, json) => {
    expect(printed(type, value)).toEqual({ text, json });
  });

  test("fields have their names in Go", () => {
    const devices: GroupVersion = { group: "resource.k8s.io", version: "v1" };
    const shape = internalTypes(sinceOf("1.34"), devices)("resource.DeviceAttribute");
    expect(goShapeJson(shape, { int: 1 })).toBe(
      '{"IntValue":1,"BoolValue":null,"StringValue":null,"VersionValue":null}',
    );
  });

  test("host settings of a pod are in its security context", () => {
    const { text, json } = printed("core.PodSpec", { hostPID: true });
    expect(text).toContain("SecurityContext:(*core.PodSecurityContext)(0xc000000000)");
    expect(json).toContain('"SecurityContext":{"HostNetwork":false,"HostPID":true,"HostIPC":false,');
  });

  test("the sources of a volume have the order of the internal type", () => {
    const { text } = printed("core.PersistentVolumeSpec", {});
    expect(text).toMatch(
      /^core\.PersistentVolumeSpec\{Capacity:core\.ResourceList\(nil\), PersistentVolumeSource:/,
    );
    expect(text).toMatch(/ RBD:\S+ Quobyte:\S+ ISCSI:\S+ FlexVolume:\S+ Cinder:/);
  });

  test("a group's types follow its version in the store", () => {
    const request = (version: string) => {
      const types = internalTypes(sinceOf("1.34"), { group: "resource.k8s.io", version });
      return goShapeText(types("resource.DeviceRequest"), { name: "r" });
    };
    expect(request("v1beta1")).toContain('AllocationMode:""');
    expect(request("v1")).toContain("Exactly:(*resource.ExactDeviceRequest)(nil)");
  });

  test("a type that the release does not have is an error", () => {
    expect(() => internalTypes(sinceOf("1.16"), coreV1)("core.PodResourceClaim")).toThrow(
      "1.16 has no Go type core.PodResourceClaim",
    );
  });
});

test.each<[release: Release, value: JsonValue | undefined, message: string]>([
  ["1.33", { ip: "10.0.0.1" }, 'f: Invalid value: core.PodIP{IP:"10.0.0.1"}: no'],
  ["1.34", { ip: "10.0.0.1" }, 'f: Invalid value: {"IP":"10.0.0.1"}: no'],
  ["1.33", undefined, 'f: Invalid value: "null": no'],
  ["1.34", undefined, "f: Invalid value: null: no"],
])("%s shows a typed value in a field error as the release does: %j", (release, value, message) => {
  const error = fieldInvalid("f", typedValue("core.PodIP", value), "no");
  expect(fieldErrorLines([error], release)).toEqual([message]);
});
