import { textAt } from "../apimachinery/fields.ts";
import { isJsonObject, type JsonValue } from "../apimachinery/json.ts";
import { parseJson } from "../codec/json/json.ts";
import type { FaultContext } from "./scenario.ts";

/** Says where a write lacks the resourceVersion that its object must have; undefined if the write has one. */
export async function lacksResourceVersion({
  request,
  headers,
  body,
}: Pick<FaultContext, "request" | "headers" | "body">): Promise<string | undefined> {
  const isDelete = request.verb === "delete";
  const lack = `it needs ${isDelete ? "preconditions" : "metadata"}.resourceVersion in its body`;
  // The server refuses a body that is too large; it does not come to a conflict.
  const bytes = await body().catch(() => new Uint8Array());
  if (bytes.length === 0) return lack;
  const [mediaType = ""] = (headers.get("content-type") ?? "application/json").split(";");
  // The fields of protobuf have no names. Updates in it come from typed clients, which read the object before.
  if (mediaType.endsWith("protobuf")) return undefined;
  const value = jsonOf(bytes);
  if (value === undefined) return mentionsResourceVersion(bytes) ? undefined : lack;
  if (Array.isArray(value)) return value.some(setsResourceVersion) ? undefined : lack;
  if (!isJsonObject(value)) return lack;
  return textAt(value, isDelete ? "preconditions" : "metadata", "resourceVersion") === "" ? lack : undefined;
}

function jsonOf(bytes: Uint8Array): JsonValue | undefined {
  try {
    return parseJson(bytes);
  } catch {
    return undefined;
  }
}

/** YAML and CBOR write the names of fields as they are. */
function mentionsResourceVersion(bytes: Uint8Array): boolean {
  return new TextDecoder("latin1").decode(bytes).includes("resourceVersion");
}

/** Whether an operation of a JSON patch sets the resourceVersion. */
function setsResourceVersion(operation: JsonValue): boolean {
  return (
    isJsonObject(operation) &&
    operation["path"] === "/metadata/resourceVersion" &&
    (operation["op"] === "add" || operation["op"] === "replace")
  );
}
