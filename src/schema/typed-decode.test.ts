import { describe, expect, test } from "vitest";
import { DecodeError } from "../apimachinery/decode-error.ts";
import { catalogOf } from "../catalog/catalog.ts";
import type { StructSchema } from "../catalog/type-schema.ts";
import { readJson } from "../codec/json/json.ts";
import type { Decoded } from "./kind-schema.ts";
import { decodeInto } from "./typed-decode.ts";

const catalog = catalogOf({ release: "1.32" });

/** The schema of `v1 Pod` or `apps/v1 Deployment`. */
function kind(text: string): StructSchema {
  const [gv = "", name = ""] = text.split(" ");
  const [version = "", group = ""] = gv.split("/").reverse();
  const schema = catalog.kind({ group, version, kind: name });
  if (schema === undefined) throw new Error(`no ${text}`);
  return schema;
}

const decode = (schema: string, body: string): Decoded => decodeInto(kind(schema), readJson(body));

/** The message of the error that the body is refused with. */
function refusal(schema: string, body: string): string {
  try {
    decode(schema, body);
  } catch (error) {
    if (error instanceof DecodeError) return error.message;
    throw error;
  }
  return "";
}

describe("a value of the wrong type", () => {
  const field = (sent: string, path: string, type: string): string =>
    `json: cannot unmarshal ${sent} into Go struct field ${path} of type ${type}`;

  test.each([
    [
      "apps/v1 Deployment",
      '{"spec":{"replicas":"x"}}',
      field("string", "DeploymentSpec.spec.replicas", "int32"),
    ],
    [
      "v1 ConfigMap",
      '{"metadata":{"labels":{"a":1}}}',
      field("number", "ObjectMeta.metadata.labels", "string"),
    ],
    ["v1 ConfigMap", '{"metadata":{"name":true}}', field("bool", "ObjectMeta.metadata.name", "string")],
    ["v1 ConfigMap", '{"metadata":[]}', field("array", "ConfigMap.metadata", "v1.ObjectMeta")],
    ["v1 ConfigMap", '{"kind":1}', field("number", "ConfigMap.kind", "string")],
    ["v1 ConfigMap", '{"data":"x"}', field("string", "ConfigMap.data", "map[string]string")],
    ["v1 ConfigMap", '{"data":{"a":{}}}', field("object", "ConfigMap.data", "string")],
    [
      "v1 ConfigMap",
      '{"metadata":{"finalizers":[1]}}',
      field("number", "ObjectMeta.metadata.finalizers", "string"),
    ],
    ["v1 ConfigMap", '{"metadata":{"uid":1}}', field("number", "ObjectMeta.metadata.uid", "types.UID")],
    ["v1 Pod", '{"spec":{"containers":{}}}', field("object", "PodSpec.spec.containers", "[]v1.Container")],
    ["v1 Pod", '{"spec":{"containers":["x"]}}', field("string", "PodSpec.spec.containers", "v1.Container")],
    [
      "v1 Pod",
      '{"spec":{"containers":[{"imagePullPolicy":1}]}}',
      field("number", "Container.spec.containers.imagePullPolicy", "v1.PullPolicy"),
    ],
    [
      "v1 Pod",
      '{"spec":{"containers":[{"resources":{"limits":[]}}]}}',
      field("array", "ResourceRequirements.spec.containers.resources.limits", "v1.ResourceList"),
    ],
    [
      "v1 Pod",
      '{"spec":{"volumes":[{"emptyDir":""}]}}',
      field("string", "Volume.spec.volumes.emptyDir", "v1.EmptyDirVolumeSource"),
    ],
    [
      "v1 PersistentVolumeClaim",
      '{"spec":{"accessModes":[1]}}',
      field("number", "PersistentVolumeClaimSpec.spec.accessModes", "v1.PersistentVolumeAccessMode"),
    ],
    [
      "rbac.authorization.k8s.io/v1 Role",
      '{"rules":[{"verbs":"get"}]}',
      field("string", "PolicyRule.rules.verbs", "[]string"),
    ],
    [
      "apps/v1 Deployment",
      '{"spec":{"replicas":1.5}}',
      field("number 1.5", "DeploymentSpec.spec.replicas", "int32"),
    ],
    [
      "apps/v1 Deployment",
      '{"spec":{"replicas":1.0}}',
      field("number 1.0", "DeploymentSpec.spec.replicas", "int32"),
    ],
    [
      "apps/v1 Deployment",
      '{"spec":{"replicas":1e3}}',
      field("number 1e3", "DeploymentSpec.spec.replicas", "int32"),
    ],
    [
      "apps/v1 Deployment",
      '{"spec":{"replicas":99999999999}}',
      field("number 99999999999", "DeploymentSpec.spec.replicas", "int32"),
    ],
    [
      "v1 Pod",
      '{"metadata":{"generation":9223372036854775808}}',
      field("number 9223372036854775808", "ObjectMeta.metadata.generation", "int64"),
    ],
    [
      "v1 ConfigMap",
      '{"metadata":{"creationTimestamp":1}}',
      field("number", "ObjectMeta.metadata.creationTimestamp", "string"),
    ],
    [
      "v1 Service",
      '{"spec":{"ports":[{"targetPort":true}]}}',
      field("bool", "ServicePort.spec.ports.targetPort", "int32"),
    ],
    [
      "v1 Service",
      '{"spec":{"ports":[{"targetPort":1.5}]}}',
      field("number 1.5", "ServicePort.spec.ports.targetPort", "int32"),
    ],
    ["v1 Secret", '{"data":{"a":1}}', field("number", "Secret.data", "[]uint8")],
    ["v1 Secret", '{"data":{"a":[1,300]}}', field("number 300", "Secret.data", "uint8")],
    [
      "apiextensions.k8s.io/v1 CustomResourceDefinition",
      '{"spec":{"versions":[{"schema":{"openAPIV3Schema":{"items":{"type":1}}}}]}}',
      field("number", "JSONSchemaProps.spec.versions.schema.openAPIV3Schema.items", "string"),
    ],
    ["v1 ConfigMap", "[]", "json: cannot unmarshal array into Go value of type v1.ConfigMap"],
  ])("%s %s", (schema, body, message) => {
    expect(refusal(schema, body)).toBe(message);
  });

  test("is reported for the first field of the body that has one", () => {
    const body = '{"spec":{"paused":1,"replicas":"x"},"metadata":{"name":1}}';
    expect(refusal("apps/v1 Deployment", body)).toMatch(/DeploymentSpec.spec.paused of type bool$/);
  });

  test("is reported after errors of a type's own decoder, regardless of position", () => {
    const body = '{"spec":{"replicas":"x"},"metadata":{"creationTimestamp":"x"}}';
    expect(refusal("apps/v1 Deployment", body)).toMatch(/^parsing time "x"/);
  });
});

describe("text that is invalid for its type", () => {
  test.each([
    [
      "v1 ConfigMap",
      '{"metadata":{"deletionTimestamp":"xx"}}',
      'parsing time "xx" as "2006-01-02T15:04:05Z07:00": cannot parse "xx" as "2006"',
    ],
    [
      "coordination.k8s.io/v1 Lease",
      '{"spec":{"renewTime":"2020-01-01T00:00:00Z"}}',
      'parsing time "2020-01-01T00:00:00Z" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "Z" as ".000000"',
    ],
    [
      "v1 Pod",
      '{"spec":{"containers":[{"resources":{"limits":{"cpu":"abc"}}}]}}',
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    ],
    [
      "v1 Pod",
      '{"spec":{"containers":[{"resources":{"limits":{"cpu":{}}}}]}}',
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    ],
    ["v1 Secret", '{"data":{"a":"abc$"}}', "illegal base64 data at input byte 3"],
    ["v1 Secret", '{"data":{"a":"abcd="}}', "illegal base64 data at input byte 4"],
    ["v1 Secret", '{"data":{"a":"abcde"}}', "illegal base64 data at input byte 4"],
    ["v1 Secret", '{"data":{"a":"ab="}}', "illegal base64 data at input byte 3"],
    ["v1 Secret", '{"data":{"a":"ab==c"}}', "illegal base64 data at input byte 4"],
    [
      "apiextensions.k8s.io/v1 CustomResourceDefinition",
      '{"spec":{"versions":[{"schema":{"openAPIV3Schema":{"additionalProperties":1}}}]}}',
      "boolean or JSON schema expected",
    ],
  ])("%s %s", (schema, body, message) => {
    expect(refusal(schema, body)).toBe(message);
  });
});

describe("a decoded value equals Go's output", () => {
  test.each([
    ["v1 ConfigMap", "null", {}],
    ["v1 ConfigMap", '{"metadata":null,"data":null,"immutable":null}', {}],
    ["v1 ConfigMap", '{"data":{"a":null,"__proto__":"x"}}', JSON.parse('{"data":{"a":"","__proto__":"x"}}')],
    ["v1 ConfigMap", '{"metadata":{"finalizers":["a",null]}}', { metadata: { finalizers: ["a", ""] } }],
    ["v1 ConfigMap", '{"metadata":{"ownerReferences":[null]}}', { metadata: { ownerReferences: [{}] } }],
    [
      "v1 ConfigMap",
      '{"metadata":{"creationTimestamp":"2020-01-01T02:00:00.9+02:00"}}',
      { metadata: { creationTimestamp: "2020-01-01T00:00:00Z" } },
    ],
    ["v1 ConfigMap", '{"metadata":{"creationTimestamp":"0001-01-01T00:00:00Z"}}', { metadata: {} }],
    [
      "coordination.k8s.io/v1 Lease",
      '{"spec":{"renewTime":"2020-01-01T00:00:00.123456+01:00"}}',
      { spec: { renewTime: "2019-12-31T23:00:00.123456Z" } },
    ],
    [
      "v1 ResourceQuota",
      '{"spec":{"hard":{"a":"0.5","b":1024,"c":1.5,"d":"1024Mi","e":" 1 ","f":null,"g":1e3}}}',
      { spec: { hard: { a: "500m", b: "1024", c: "1500m", d: "1Gi", e: "1", f: "0", g: "1e3" } } },
    ],
    [
      "v1 Secret",
      '{"data":{"a":"YWI=","b":"YW\\nJj","c":"YWJ=","d":[97,98]}}',
      { data: { a: "YWI=", b: "YWJj", c: "YWI=", d: "YWI=" } },
    ],
    [
      "v1 Service",
      '{"spec":{"ports":[{"targetPort":"http"},{"targetPort":80}]}}',
      { spec: { ports: [{ targetPort: "http" }, { targetPort: 80 }] } },
    ],
    [
      "v1 Pod",
      '{"metadata":{"generation":9007199254740993}}',
      { metadata: { generation: 9007199254740993n } },
    ],
    ["v1 Pod", '{"metadata":{"generation":-0}}', { metadata: { generation: 0 } }],
    [
      "apps/v1 ControllerRevision",
      '{"data":{"z":1,"a":[1.0,{"b":null}]},"revision":2}',
      { data: { z: 1, a: [1, { b: null }] }, revision: 2 },
    ],
    [
      "apiextensions.k8s.io/v1 CustomResourceDefinition",
      '{"spec":{"versions":[{"schema":{"openAPIV3Schema":{"maximum":1.50,"items":{"x":1,"type":"a"},"additionalProperties":false,"default":{"b":[1]}}}}]}}',
      {
        spec: {
          versions: [
            {
              schema: {
                openAPIV3Schema: {
                  maximum: 1.5,
                  items: { type: "a" },
                  additionalProperties: false,
                  default: { b: [1] },
                },
              },
            },
          ],
        },
      },
    ],
  ])("%s %s", (schema, body, object) => {
    expect(decode(schema, body).object).toEqual(object);
  });
});

describe("strict errors are in the order of the body", () => {
  test.each([
    [
      "v1 ConfigMap",
      '{"metadata":{"name":"x","zork":1},"foo":1,"Data":{"a":"b"}}',
      ['unknown field "metadata.zork"', 'unknown field "foo"', 'unknown field "Data"'],
    ],
    [
      "v1 Pod",
      '{"spec":{"containers":[{"name":"c","foo":{"a":1},"env":[{"name":"X","valeu":"1"}]}]}}',
      ['unknown field "spec.containers[0].foo"', 'unknown field "spec.containers[0].env[0].valeu"'],
    ],
    [
      "v1 ConfigMap",
      '{"x":1,"metadata":{"name":"a","name":"b"},"data":{"k":"1","k":"2"},"x":2,"y":{"z":1,"z":2}}',
      [
        'unknown field "x"',
        'duplicate field "metadata.name"',
        'duplicate field "data.k"',
        'unknown field "y"',
      ],
    ],
    ["apps/v1 ControllerRevision", '{"data":{"a":1,"a":2}}', []],
    [
      "apiextensions.k8s.io/v1 CustomResourceDefinition",
      '{"spec":{"versions":[{"schema":{"openAPIV3Schema":{"x":1,"properties":{"p":{"y":1}},"items":{"z":1}}}}]}}',
      [
        'unknown field "spec.versions[0].schema.openAPIV3Schema.x"',
        'unknown field "spec.versions[0].schema.openAPIV3Schema.properties.p.y"',
      ],
    ],
    ["v1 ConfigMap", '{"a\\"b":1,"\\n":1}', ['unknown field "a\\"b"', 'unknown field "\\n"']],
  ])("%s %s", (schema, body, findings) => {
    expect(decode(schema, body).strictErrors).toEqual(findings);
  });

  test("and end after 100", () => {
    const body = `{${Array.from({ length: 200 }, (_, i) => `"x${i}":1`).join(",")}}`;
    expect(decode("v1 ConfigMap", body).strictErrors).toHaveLength(100);
  });
});

describe("a duplicate key", () => {
  test.each([
    ['{"data":{"a":"1","a":"2"}}', { data: { a: "2" } }],
    ['{"data":{"a":"1"},"data":{"b":"2"}}', { data: { a: "1", b: "2" } }],
    [
      '{"metadata":{"name":"a","labels":{"x":"1"}},"metadata":{"name":"b"}}',
      { metadata: { name: "b", labels: { x: "1" } } },
    ],
    ['{"metadata":{"name":"a"},"metadata":null}', { metadata: { name: "a" } }],
    ['{"data":{"a":"1"},"data":null}', {}],
    [
      '{"metadata":{"ownerReferences":[{"name":"a"},{"name":"b"}],"ownerReferences":[{"kind":"c"}]}}',
      { metadata: { ownerReferences: [{ name: "a", kind: "c" }] } },
    ],
  ])("%s is decoded into the earlier value", (body, object) => {
    expect(decode("v1 ConfigMap", body).object).toEqual(object);
  });
});
