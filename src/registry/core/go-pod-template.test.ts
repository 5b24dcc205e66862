import { expect, test } from "vitest";
import { goPodTemplateSpec } from "./go-pod-template.ts";

const source = /VolumeSource:core\.VolumeSource\{([^}]*)\}/;

test("a template prints as upstream's internal type", () => {
  const text = goPodTemplateSpec({
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
  const text = goPodTemplateSpec({ spec: { volumes: [{ name: "v", cephfs: {} }] } });
  const pointers = source.exec(text)?.[1]?.split(", ") ?? [];
  expect(pointers).toHaveLength(30);
  expect(pointers.filter((pointer) => !pointer.endsWith("(nil)"))).toEqual([
    "CephFS:(*core.CephFSVolumeSource)(0xc000000000)",
  ]);
});
