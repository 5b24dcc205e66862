import { formatGroupVersion, type GroupVersionKind } from "../apimachinery/group-version.ts";
import type { WatchEventType } from "../apimachinery/watch-event.ts";
import { PartTexts } from "./json/part-texts.ts";

/** The names of the watch frames in one format, by the type of the event. */
export type FrameForms = Readonly<Record<WatchEventType, string>>;

/**
 * The names under which objects keep their encodings in one version of a kind, and what is written for all of them. An
 * endpoint has one value for all its requests: equal names are compared faster if they are identical.
 */
export interface EncodedForms {
  readonly json: string;
  /** JSON without the head, as in lists. */
  readonly item: string;
  readonly protobuf: string;
  readonly frames: Readonly<Record<"json" | "cbor" | "protobuf", FrameForms>>;
  /** The start of the JSON of each object. */
  readonly head: string;
  readonly texts: PartTexts;
}

/** The forms of one version of a kind; those of a variant that is encoded differently have other names. */
export function encodedForms(gvk: GroupVersionKind, variant = ""): EncodedForms {
  const version = `${formatGroupVersion(gvk)}${variant === "" ? "" : ` ${variant}`}`;
  return {
    json: `${version} json`,
    item: `${version} json item`,
    protobuf: `${version} protobuf`,
    frames: {
      json: frameForms(`${version} json`),
      cbor: frameForms(`${version} cbor`),
      protobuf: frameForms(`${version} protobuf`),
    },
    head: headText(gvk),
    texts: new PartTexts(),
  };
}

/** The start of the JSON of an object or list: its type. */
export function headText(gvk: GroupVersionKind): string {
  return `{"kind":${JSON.stringify(gvk.kind)},"apiVersion":${JSON.stringify(formatGroupVersion(gvk))},`;
}

function frameForms(prefix: string): FrameForms {
  return {
    ADDED: `${prefix} ADDED`,
    MODIFIED: `${prefix} MODIFIED`,
    DELETED: `${prefix} DELETED`,
    BOOKMARK: `${prefix} BOOKMARK`,
    ERROR: `${prefix} ERROR`,
  };
}
