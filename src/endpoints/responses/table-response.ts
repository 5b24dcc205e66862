import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { tableColumns } from "../../catalog/table-columns.ts";
import type { Encodable } from "../../codec/encodable.ts";
import type { ListMeta } from "../../codec/encoding-target.ts";
import type { OutputFormat } from "../../codec/media-types/output-format.ts";
import { metadataOf } from "../../codec/partial-object-metadata.ts";
import { defaultPrinter } from "../../codec/tables/default-printer.ts";
import type { Printer } from "../../codec/tables/printer.ts";
import {
  type RowOptions,
  shapeOf,
  type TableShape,
  table,
  tableRows,
  withRowMetadata,
} from "../../codec/tables/table.ts";
import { scalePrinter } from "../../registry/subresources/scale-printer.ts";
import { tableShape } from "../../registry/table-shape.ts";
import type { ServedApi } from "../../served/served-api.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";
import type { ResourceContext, ResourceScope } from "../contract/scope.ts";
import { withSelfLink } from "../contract/self-link.ts";
import { includeObjectOf } from "./include-object.ts";

/** The parts of a request on which a Table depends. */
export interface TableRequest {
  readonly scope: Pick<ResourceScope, "resource" | "gvk" | "selfLinkOf">;
  /** The printer of the scope; undefined for the default one. */
  readonly printer: Printer | undefined;
  readonly format: Pick<OutputFormat, "transform">;
  readonly context: Pick<ResourceContext, "query">;
  readonly environment: Pick<EndpointEnvironment, "clock"> & {
    readonly served: Pick<ServedApi, "current">;
  };
  /** A stored object as rows with whole objects show it. */
  readonly shown: (stored: KubeObject) => KubeObject;
}

/**
 * The Table of an object or a list.
 * @throws {StatusError} badRequest for an unknown `includeObject`
 */
export function objectTable(
  objects: readonly Encodable[],
  metadata: ListMeta,
  request: TableRequest,
): JsonObject {
  const shape = shapeFor(request);
  const values = objects.map(({ value }) => value);
  const rows = tableRows(values, shape, rowOptions(shape, request));
  return table(metaVersion(request), metadata, shape.columns, rows);
}

/**
 * The Table of the first event of a watch, which describes the columns.
 * @throws {StatusError} badRequest for an unknown `includeObject`
 */
export function firstRowTable(object: Encodable, request: TableRequest): JsonObject {
  const shape = shapeFor(request);
  return tableOfRow(object, request, shape, shape.columns);
}

/**
 * The Table of any later event of a watch.
 * @throws {StatusError} badRequest for an unknown `includeObject`
 */
export function rowTable(object: Encodable, request: TableRequest): JsonObject {
  return tableOfRow(object, request, shapeFor(request), undefined);
}

function tableOfRow(
  { value }: Encodable,
  request: TableRequest,
  shape: TableShape,
  columns: TableShape["columns"] | undefined,
): JsonObject {
  const { resourceVersion } = value.metadata;
  const selfLink = request.scope.selfLinkOf?.(value);
  const metadata = {
    ...(selfLink !== undefined && { selfLink }),
    ...(resourceVersion !== undefined && { resourceVersion }),
  };
  const rows = tableRows([value], shape, rowOptions(shape, request));
  return table(metaVersion(request), metadata, columns, rows);
}

function rowOptions(shape: TableShape, request: TableRequest): RowOptions {
  return { now: request.environment.clock.now(), object: shownObject(shape, request) };
}

function shownObject(shape: TableShape, request: TableRequest): RowOptions["object"] {
  switch (includeObjectOf(request.context.query)) {
    case "None":
      return () => null;
    case "Object":
      return request.shown;
    case "Metadata": {
      const version = metaVersion(request);
      return (object) => {
        const linked = withSelfLink(object, request.scope.selfLinkOf);
        return metadataOf(withRowMetadata(linked, shape), version);
      };
    }
  }
}

function metaVersion({ format }: TableRequest): string {
  return format.transform?.version ?? "v1";
}

const scaleShape = shapeOf(scalePrinter, []);
const defaultShape = shapeOf(defaultPrinter, []);

/** Most subresources return the resource itself. `scale` has its own Table, and the others have the default one. */
function shapeFor({ scope, printer, environment }: TableRequest): TableShape {
  const { resource, gvk } = scope;
  if (gvk.kind !== resource.kind) return gvk.kind === "Scale" ? scaleShape : defaultShape;
  const home = { ...environment.served.current.storedAs(resource), version: resource.version };
  return tableShape(printer, tableColumns([resource, home]));
}
