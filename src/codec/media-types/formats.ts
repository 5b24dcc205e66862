import type { FeatureGates } from "../../catalog/feature-gates.ts";
import type { MediaType, Transform } from "./output-format.ts";
import { type PatchType, patchTypesOf } from "./patch-types.ts";

/** Which representations a kind of answer has. */
export interface Representations {
  readonly mediaTypes: readonly MediaType[];
  /** Those of them that a watch can be in. YAML is none: nothing tells where one of its documents ends. */
  readonly streamed: readonly MediaType[];
  /** The shapes that objects may be asked for in. */
  readonly transforms: readonly Transform["kind"][];
  /** What clients may call the version of what is common to all kinds (`sv`). */
  readonly metaVersions: readonly string[];
}

/** The formats of one server. */
export interface Formats {
  /** What bodies may be in. */
  readonly mediaTypes: readonly MediaType[];
  /** What patches may be in. */
  readonly patchTypes: readonly PatchType[];
  /** Objects, lists and watches. */
  readonly objects: Representations;
  /** Watches that say when their initial events are over: that event cannot be put into a row. */
  readonly streamedLists: Representations;
  /** Answers that are no API objects, such as discovery, and errors. */
  readonly plainObjects: Representations;
  /** Which has no CBOR, whatever the gate. */
  readonly aggregatedDiscovery: Representations;
  /** How refusals name the formats of watches. */
  readonly streamNames: readonly string[];
  /** What the router knows of lists, which may become watches: the names of both. */
  readonly listNames: readonly string[];
}

const cborSequence = "application/cbor-seq";

/** The formats that are served with these gates. */
export function formatsOf(gates: FeatureGates): Formats {
  const hasCbor = gates.isEnabled("CBORServingAndStorage");
  const cbor: readonly MediaType[] = hasCbor ? ["application/cbor"] : [];
  const json: MediaType = "application/json";
  const protobuf: MediaType = "application/vnd.kubernetes.protobuf";
  const mediaTypes = [json, "application/yaml", protobuf, ...cbor] as const;
  const streamNames = [json, protobuf].map((type) => `${type};stream=watch`);
  if (hasCbor) streamNames.push(cborSequence);
  const plainObjects = { mediaTypes, streamed: [json, protobuf, ...cbor], transforms: [], metaVersions: [] };
  const streamedLists: Representations = {
    ...plainObjects,
    transforms: ["PartialObjectMetadata", "PartialObjectMetadataList"],
    metaVersions: ["v1"],
  };
  return {
    mediaTypes,
    patchTypes: patchTypesOf(gates),
    objects: { ...streamedLists, transforms: ["Table", ...streamedLists.transforms] },
    streamedLists,
    plainObjects,
    aggregatedDiscovery: { ...plainObjects, mediaTypes: [json, "application/yaml", protobuf] },
    streamNames,
    listNames: [...mediaTypes, ...streamNames],
  };
}

/** What a watch is sent in when its client takes this: items of CBOR that follow each other have a name of their own. */
export function streamTypeOf(mediaType: MediaType): MediaType {
  return mediaType === "application/cbor" ? cborSequence : mediaType;
}
