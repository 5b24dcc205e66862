/** The media types of objects, in the order that upstream names them. */
export type MediaType =
  | "application/json"
  | "application/yaml"
  | "application/vnd.kubernetes.protobuf"
  | "application/cbor"
  /** Watches in CBOR. */
  | "application/cbor-seq";

/** Another shape that the client asks the object in. */
export interface Transform {
  readonly kind: "Table" | "PartialObjectMetadata" | "PartialObjectMetadataList";
  readonly version: "v1" | "v1beta1";
}

/** How the client wants to read the answer. */
export interface OutputFormat {
  readonly mediaType: MediaType;
  readonly pretty: boolean;
  readonly transform: Transform | undefined;
}

/** What an answer is written in when nothing else was agreed on. */
export const plainJson: OutputFormat = {
  mediaType: "application/json",
  pretty: false,
  transform: undefined,
};
