import type { FeatureGates } from "../../catalog/feature-gates.ts";
import type { MediaType, Transform } from "./output-format.ts";
import { type PatchType, patchTypesOf } from "./patch-types.ts";

/** The representations of a kind of response. */
export interface Representations {
  /** The media types of metadata alone, if they are others. */
  readonly transformed?: readonly MediaType[];
  readonly mediaTypes: readonly MediaType[];
  /** The media types that errors name. Default: `mediaTypes`. */
  readonly named?: readonly MediaType[];
  /** The media types for watches. YAML is excluded, because its documents have no visible end. */
  readonly streamed: readonly MediaType[];
  /** The shapes that clients may request. */
  readonly transforms: readonly Transform["kind"][];
  /** The versions that clients may name for the types that are common to all kinds (`sv`). */
  readonly metaVersions: readonly string[];
}

/** The formats of one server. */
export interface Formats {
  /** The media types of request bodies. */
  readonly mediaTypes: readonly MediaType[];
  /** The media types of patches. */
  readonly patchTypes: readonly PatchType[];
  /** Objects, lists and watches. */
  readonly objects: Representations;
  /** Objects without a table, such as reviews. */
  readonly untabled: Representations;
  /** Watches with a bookmark after the initial events. This bookmark cannot be a table row. */
  readonly streamedLists: Representations;
  /** Responses that are not API objects, such as discovery and errors. */
  readonly plainObjects: Representations;
  /** Aggregated discovery, which never has CBOR. */
  readonly aggregatedDiscovery: Representations;
  /** The names of watch formats in errors. */
  readonly streamNames: readonly string[];
  /** The media types that the router has for lists, which may be watches: the names for both. */
  readonly listNames: readonly string[];
}

/** The formats of custom resources: they have neither protobuf nor strategic merge patches. */
export function customFormats(formats: Formats): Formats {
  const isPossible = (type: MediaType) => type !== "application/vnd.kubernetes.protobuf";
  const without = (of: Representations): Representations => ({
    ...of,
    mediaTypes: of.mediaTypes.filter(isPossible),
    // Their metadata has a protobuf message.
    transformed: of.mediaTypes,
    // Upstream lists protobuf nevertheless.
    named: of.mediaTypes,
  });
  return {
    ...formats,
    patchTypes: formats.patchTypes.filter((type) => type !== "application/strategic-merge-patch+json"),
    objects: without(formats.objects),
    untabled: without(formats.untabled),
    streamedLists: without(formats.streamedLists),
  };
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
    untabled: streamedLists,
    streamedLists,
    plainObjects,
    aggregatedDiscovery: { ...plainObjects, mediaTypes: [json, "application/yaml", protobuf] },
    streamNames,
    listNames: [...mediaTypes, ...streamNames],
  };
}

/** The media type of a watch for a negotiated media type: a sequence of CBOR items has its own name. */
export function streamTypeOf(mediaType: MediaType): MediaType {
  return mediaType === "application/cbor" ? cborSequence : mediaType;
}
