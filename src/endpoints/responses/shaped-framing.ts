import type { Transform } from "../../codec/media-types/output-format.ts";
import { metadataOf } from "../../codec/partial-object-metadata.ts";
import { withSelfLink } from "../contract/self-link.ts";
import { type EventFraming, type Framing, metaSchema } from "./event-framing.ts";
import { includeObjectOf } from "./include-object.ts";
import type { Answering } from "./respond.ts";
import { firstRowTable, rowTable } from "./table-response.ts";

/** Tables with one row each; the first one has the columns. */
export async function rowFraming(answering: Answering, { frame, document }: Framing): Promise<EventFraming> {
  const printer = await answering.scope.loadPrinter();
  const hasCodec = answering.scope.rest.codec !== undefined;
  const showsObjects = includeObjectOf(answering.context.query) === "Object";
  let tableOf = firstRowTable;
  return {
    // Cells are printed from the stored object, unless the verbs handle another form.
    isReady: () => !showsObjects && !hasCodec,
    frame: (type, stored, shown) => {
      const table = tableOf(hasCodec ? shown : stored, { ...answering, printer, shown: () => shown.value });
      tableOf = rowTable;
      return frame(type, document(table, undefined));
    },
  };
}

/** The metadata of objects. */
export function metadataFraming(
  answering: Answering,
  { contentType, frame, document }: Framing,
  transform: Transform,
): EventFraming {
  const { version } = transform;
  const { forms, storedConversion: conversion, selfLinkOf } = answering.scope;
  const schema = metaSchema(answering, transform);
  const form = `${forms.json} metadata ${version} ${contentType}`;
  return {
    isReady: (type, stored) => !conversion.showsMetadata() || stored.isEncoded(`${form} ${type}`),
    frame: (type, _stored, shown) =>
      shown.encoded(
        `${form} ${type}`,
        (value) => {
          const linked = withSelfLink(value, selfLinkOf);
          return frame(type, document(metadataOf(linked, version), schema));
        },
        "write",
      ),
  };
}
