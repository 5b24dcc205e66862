import { concatenate } from "../../apimachinery/bytes.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import type { ApiResponseBody } from "../../request/handler.ts";
import { isStreamed } from "../../request/response-stream.ts";
import { renamedStream, type StreamParts, textEnd } from "./renamed-stream.ts";
import { type Renaming, renamedText } from "./renaming.ts";

/** How the bodies of a media type are renamed. */
export interface BodyFormat extends StreamParts {
  /** The same for a body that is whole. */
  readonly renamedWhole: (body: Uint8Array) => Uint8Array;
}

/** Media types of text besides `text/*` and those whose names end in `json` or `yaml`. */
const textTypes = /^(text\/.*|application\/(.*[+-])?(json|yaml)(-seq)?|application\/openmetrics-text)$/;

/**
 * The format of a media type with its real name. `isMessages`: each piece of a stream is one message of a WebSocket. Bodies without a
 * format, such as profiles, have no names.
 */
export async function formatOf(
  contentType: string,
  rename: Renaming,
  catalog: Catalog,
  stream: "messages" | "frames" = "frames",
): Promise<BodyFormat | undefined> {
  const [mediaType = ""] = contentType.split(";");
  switch (mediaType.trim()) {
    case "application/vnd.kubernetes.protobuf":
      return protobufFormat(rename, catalog, stream);
    case "application/cbor":
    case "application/cbor-seq":
      return cborFormat(rename);
    default:
      return textTypes.test(mediaType.trim()) ? textFormat(rename) : undefined;
  }
}

function textFormat(rename: Renaming): BodyFormat {
  const renamed = (part: Uint8Array) => renamedText(part, rename);
  return { firstEnd: textEnd, renamed, renamedWhole: renamed };
}

async function cborFormat(rename: Renaming): Promise<BodyFormat> {
  const [{ cborItemEnd }, { renamedCbor }] = await Promise.all([
    import("../../codec/cbor/cbor-item-end.ts"),
    import("./renamed-cbor.ts"),
  ]);
  const renamed = (part: Uint8Array) => renamedCbor(part, rename);
  return { firstEnd: (bytes) => cborItemEnd(bytes, 0), renamed, renamedWhole: renamed };
}

async function protobufFormat(
  rename: Renaming,
  catalog: Catalog,
  stream: "messages" | "frames",
): Promise<BodyFormat> {
  const [{ watchFrameEnd }, { renamedDocument, renamedFrame, renamedMessage }] = await Promise.all([
    import("../../codec/protobuf/watch-frame.ts"),
    import("./renamed-protobuf.ts"),
  ]);
  const renamedWhole = (body: Uint8Array) => renamedDocument(body, rename, catalog);
  if (stream === "frames") {
    const renamed = (frame: Uint8Array) => renamedFrame(frame, rename, catalog);
    return { firstEnd: watchFrameEnd, renamed, renamedWhole };
  }
  const renamed = (message: Uint8Array) => renamedMessage(message, rename, catalog);
  return { firstEnd: ({ length }) => length || undefined, renamed, renamedWhole };
}

/** A body with other names: a stream in parts, anything else in one piece. */
export function renamedBody(body: ApiResponseBody, format: BodyFormat): ApiResponseBody {
  if (body === undefined) return undefined;
  if (body instanceof Uint8Array) return format.renamedWhole(body);
  return isStreamed(body) ? renamedStream(body, format) : format.renamedWhole(concatenate(body));
}
