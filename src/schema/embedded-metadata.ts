import { isJsonObject } from "../apimachinery/json.ts";
import type { StructSchema } from "../catalog/type-schema.ts";
import { builtInSchema } from "./built-in-schema.ts";
import { sortedValue } from "./sorted-value.ts";
import type { MetadataReader } from "./structural/embedded-resources.ts";

/** Reads the metadata of resources within objects: the fields of a release, without those that are not set. */
export function embeddedMetadata(objectMeta: StructSchema): MetadataReader {
  const schema = builtInSchema(objectMeta);
  return (sent) => {
    const { object, strictErrors } = schema.decode(sent);
    const { creationTimestamp, ...metadata } = schema.canonicalize(object);
    const isSet = creationTimestamp !== undefined && creationTimestamp !== null;
    const sorted = sortedValue({ ...metadata, ...(isSet && { creationTimestamp }) });
    return { metadata: isJsonObject(sorted) ? sorted : {}, strictErrors };
  };
}
