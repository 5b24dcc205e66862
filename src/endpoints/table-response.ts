import { badRequest } from "../apimachinery/errors.ts";
import { fieldInvalid, formatFieldError } from "../apimachinery/field.ts";
import type { JsonObject } from "../apimachinery/json.ts";
import type { ApiResource } from "../catalog/api-resource.ts";
import type { Encodable } from "../codec/encodable.ts";
import type { ListMeta } from "../codec/encode.ts";
import { metadataOf } from "../codec/partial-object-metadata.ts";
import { scalePrinter } from "../codec/printers/autoscaling.ts";
import { defaultPrinter } from "../codec/printers/printers.ts";
import {
  type RowOptions,
  shapeOf,
  type TableShape,
  table,
  tableRows,
  tableShape,
  withRowMetadata,
} from "../codec/table.ts";
import { textValue } from "./query-values.ts";
import type { Answering } from "./respond.ts";

/** How much of an object its row shows. */
type IncludeObject = "None" | "Metadata" | "Object";

/**
 * The Table of an object or a list.
 * @throws {StatusError} badRequest for an `includeObject` that there is not
 */
export function objectTable(
  objects: readonly Encodable[],
  metadata: ListMeta,
  answering: Answering,
): JsonObject {
  const shape = shapeFor(answering);
  const values = objects.map(({ value }) => value);
  const rows = tableRows(values, shape, rowOptions(shape, answering));
  return table(metaVersion(answering), metadata, shape.columns, rows);
}

/**
 * The Table of one event of a watch. Only the first says what the columns are.
 * @throws {StatusError} badRequest for an `includeObject` that there is not
 */
export function rowTable(object: Encodable, answering: Answering, isFirst: boolean): JsonObject {
  const shape = shapeFor(answering);
  const { resourceVersion } = object.value.metadata;
  const rows = tableRows([object.value], shape, rowOptions(shape, answering));
  const metadata = resourceVersion === undefined ? {} : { resourceVersion };
  return table(metaVersion(answering), metadata, isFirst ? shape.columns : undefined, rows);
}

/**
 * What the query asks the rows to show. A watch checks it before it answers.
 * @throws {StatusError} badRequest for what there is not
 */
export function includeObjectOf(query: URLSearchParams): IncludeObject {
  const text = textValue(query, "includeObject");
  switch (text) {
    case "":
      return "Metadata";
    case "None":
    case "Metadata":
    case "Object":
      return text;
  }
  const error = fieldInvalid("includeObject", text, "must be 'Metadata', 'Object', 'None', or empty");
  throw badRequest(`Unable to convert to Table as requested: ${formatFieldError(error)}`);
}

function rowOptions(shape: TableShape, answering: Answering): RowOptions {
  return { now: answering.environment.clock.now(), object: shownObject(shape, answering) };
}

function shownObject(shape: TableShape, answering: Answering): RowOptions["object"] {
  const { scope, context } = answering;
  switch (includeObjectOf(context.query)) {
    case "None":
      return () => null;
    case "Object":
      return scope.convert;
    case "Metadata": {
      const version = metaVersion(answering);
      return (object) => metadataOf(withRowMetadata(object, shape), version);
    }
  }
}

function metaVersion({ format }: Answering): string {
  return format.transform?.version ?? "v1";
}

const scaleShape = shapeOf(scalePrinter, []);
const defaultShape = shapeOf(defaultPrinter, []);

const shapes = new WeakMap<ApiResource, TableShape>();

/** Most subresources answer with the resource itself; `scale` has a Table of its own, the others the default one. */
function shapeFor({ scope, environment }: Answering): TableShape {
  const { resource, gvk } = scope;
  if (gvk.kind !== resource.kind) return gvk.kind === "Scale" ? scaleShape : defaultShape;
  const known = shapes.get(resource);
  if (known !== undefined) return known;
  const shape = tableShape(resource, environment.catalog.release);
  shapes.set(resource, shape);
  return shape;
}
