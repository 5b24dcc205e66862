import type { FeatureGates } from "../catalog/feature-gates.ts";
import type { MediaType } from "../codec/output-format.ts";

/** Which representations a kind of answer has. */
export interface Representations {
  /** Objects and lists; watches have no YAML. */
  readonly mediaTypes: readonly MediaType[];
  readonly allowsTransform: boolean;
  /** Whether answers are a stream of events. */
  readonly isStream: boolean;
  /** The types as the router and refusals name them. */
  readonly names: readonly string[];
}

/** The formats of one server. */
export interface Formats {
  /** What bodies may be in. */
  readonly mediaTypes: readonly MediaType[];
  readonly objects: Representations;
  readonly events: Representations;
  /** Answers that are no API objects, such as discovery, and errors. */
  readonly plainObjects: Representations;
  /** What the router knows of lists, which may become watches: the names of both. */
  readonly listNames: readonly string[];
}

/** The formats that are served with these gates. */
export function formatsOf(gates: FeatureGates): Formats {
  const hasCbor = gates.isEnabled("CBORServingAndStorage");
  const mediaTypes: readonly MediaType[] = [
    "application/json",
    "application/yaml",
    "application/vnd.kubernetes.protobuf",
    ...(hasCbor ? (["application/cbor"] as const) : []),
  ];
  const streamed: readonly MediaType[] = ["application/json", "application/vnd.kubernetes.protobuf"];
  const streamNames = [
    ...streamed.map((type) => `${type};stream=watch`),
    ...(hasCbor ? ["application/cbor-seq"] : []),
  ];
  return {
    mediaTypes,
    objects: { mediaTypes, allowsTransform: true, isStream: false, names: mediaTypes },
    plainObjects: { mediaTypes, allowsTransform: false, isStream: false, names: mediaTypes },
    events: {
      mediaTypes: hasCbor ? [...streamed, "application/cbor-seq"] : streamed,
      allowsTransform: true,
      isStream: true,
      names: streamNames,
    },
    listNames: [...mediaTypes, ...streamNames],
  };
}
