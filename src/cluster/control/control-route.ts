import type { JsonObject } from "../../apimachinery/json.ts";
import type { QueryParameters } from "../../request/query-parameters.ts";
import type { ObjectSchema, Properties } from "./value-schema.ts";

/** A request to a route, after its parts have been checked. */
export interface ControlCall {
  /** The part of the path that `{id}` stands for; empty without one. */
  readonly id: string;
  readonly query: QueryParameters;
  /** The members of the body; none without a body. */
  readonly body: JsonObject;
}

/** The result of a route; undefined has no body. */
export type ControlResult = JsonObject | undefined;

/** One operation of the control API. The requests that it accepts and its documentation follow from the same data. */
export interface ControlRoute {
  readonly method: "GET" | "POST" | "DELETE";
  /** Below `/kubedouble/v1/`. */
  readonly path: string;
  /** The name of the operation in the OpenAPI document. */
  readonly operation: string;
  readonly summary: string;
  /** The parameters of the query; arrays may be given several times. Default: none. */
  readonly query?: Properties;
  /** The members of the body. Default: none. */
  readonly body?: ObjectSchema;
  /** The status of success, and what it returns; 204 returns nothing. */
  readonly success: { readonly status: 200 | 201 | 204; readonly schema?: JsonObject };
  /** The errors beside 400, by status. */
  readonly errors?: Readonly<Record<number, string>>;
  readonly run: (call: ControlCall) => ControlResult | Promise<ControlResult>;
}
