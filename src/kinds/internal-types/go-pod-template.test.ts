import { expect, test } from "vitest";
import type { GoValue } from "../../apimachinery/go/go-value.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import { catalogOf } from "../../catalog/catalog.ts";
import { builtInKindSchema } from "../../schema/built-in-schema.ts";
import { shownPodTemplate } from "./go-pod-template.ts";
import { specOf, structOf } from "./internal-shape.ts";

function shown(template: JsonObject, release = "1.34"): GoValue {
  const job = builtInKindSchema(catalogOf({ release }), { group: "batch", version: "v1", kind: "Job" });
  if (job === undefined) throw new Error(`${release} has no Jobs`);
  return shownPodTemplate(structOf(specOf(job), "template"), template);
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
