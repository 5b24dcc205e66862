/** The media types of objects, and the texts about them of a server without CBOR. */
export const json = "application/json";
export const yaml = "application/yaml";
export const protobuf = "application/vnd.kubernetes.protobuf";
export const objectNames: string = [json, yaml, protobuf].join(", ");
export const streamNames = `${json};stream=watch, ${protobuf};stream=watch`;

/** Requests another representation: a Table, or only metadata. */
export function as(kind: string, type: string = json, version = "v1"): string {
  return `${type};as=${kind};g=meta.k8s.io;v=${version}`;
}
