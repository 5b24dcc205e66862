import type { JsonObject } from "../apimachinery/json.ts";
import { notAcceptable } from "../apimachinery/errors.ts";
export function objectTable(..._a: unknown[]): JsonObject { throw notAcceptable("table"); }
export function rowTable(..._a: unknown[]): JsonObject { throw notAcceptable("table"); }
