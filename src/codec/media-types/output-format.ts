/** The media types of objects, in upstream's order. */
export type MediaType =
  | "application/json"
  | "application/yaml"
  | "application/vnd.kubernetes.protobuf"
  | "application/cbor"
  /** Watches in CBOR. */
  | "application/cbor-seq";

/** A shape that the client requests instead of the object. */
export interface Transform {
  readonly kind: "Table" | "PartialObjectMetadata" | "PartialObjectMetadataList";
  readonly version: "v1" | "v1beta1";
}

/** The format of a response. */
export interface OutputFormat {
  readonly mediaType: MediaType;
  readonly pretty: boolean;
  readonly transform: Transform | undefined;
}

/** The default format of a response. */
export const plainJson: OutputFormat = {
  mediaType: "application/json",
  pretty: false,
  transform: undefined,
};
