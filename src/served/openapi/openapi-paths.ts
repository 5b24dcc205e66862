import type { GroupVersionKind } from "../../apimachinery/group-version.ts";
import type { JsonObject, MutableJsonObject } from "../../apimachinery/json.ts";
import { compare } from "./openapi-names.ts";
import type { OpenApiMethod, OpenApiOperation, OpenApiResponse } from "./openapi-operation.ts";
import type { OpenApiParameter } from "./openapi-parameters.ts";

/** The parts of a path item that differ between the dialects. */
export interface PathDialect {
  operation(operation: OpenApiOperation, parameters: readonly OpenApiParameter[]): JsonObject;
  parameter(parameter: OpenApiParameter): JsonObject;
}

const methods: readonly OpenApiMethod[] = ["get", "put", "post", "delete", "options", "head", "patch"];

/**
 * The `paths` of a document, sorted. Parameters that all operations of a path have are parameters of the path.
 */
export function pathsOf(operations: readonly OpenApiOperation[], dialect: PathDialect): JsonObject {
  const byPath = new Map<string, OpenApiOperation[]>();
  for (const operation of operations) {
    const others = byPath.get(operation.path);
    if (others === undefined) byPath.set(operation.path, [operation]);
    else others.push(operation);
  }
  const paths: MutableJsonObject = {};
  for (const path of [...byPath.keys()].sort()) paths[path] = pathItem(byPath.get(path) ?? [], dialect);
  return paths;
}

function pathItem(operations: readonly OpenApiOperation[], dialect: PathDialect): JsonObject {
  const counts = new Map<string, number>();
  for (const { parameters } of operations) {
    for (const parameter of parameters) counts.set(keyOf(parameter), (counts.get(keyOf(parameter)) ?? 0) + 1);
  }
  const isShared = (parameter: OpenApiParameter): boolean =>
    counts.get(keyOf(parameter)) === operations.length;
  const item: MutableJsonObject = {};
  for (const method of methods) {
    const operation = operations.find((candidate) => candidate.method === method);
    if (operation === undefined) continue;
    const own = operation.parameters.filter((parameter) => !isShared(parameter));
    item[method] = dialect.operation(operation, own.sort(byName));
  }
  // If the operations describe the parameter differently, the last description counts.
  const shared = new Map<string, OpenApiParameter>();
  for (const { parameters } of operations) {
    for (const parameter of parameters) if (isShared(parameter)) shared.set(keyOf(parameter), parameter);
  }
  if (shared.size > 0) item.parameters = [...shared.values()].sort(byName).map(dialect.parameter);
  return item;
}

function keyOf(parameter: OpenApiParameter): string {
  return `${parameter.in} ${parameter.name}`;
}

function byName(a: OpenApiParameter, b: OpenApiParameter): number {
  return compare(a.name, b.name) || compare(a.in, b.in);
}

/** The extensions at the end of an operation, which are the same in both dialects. */
export function operationExtensions({ action, gvk }: OpenApiOperation): JsonObject | undefined {
  if (action === undefined || gvk === undefined) return undefined;
  return { "x-kubernetes-action": action, "x-kubernetes-group-version-kind": kindExtension(gvk) };
}

function kindExtension({ group, version, kind }: GroupVersionKind): JsonObject {
  return { group, version, kind };
}

/** The responses by code, with the 401 of every operation. */
export function responsesOf(
  responses: readonly OpenApiResponse[],
  write: (response: OpenApiResponse) => JsonObject,
): JsonObject {
  const written: MutableJsonObject = {};
  for (const response of responses) written[String(response.code)] = write(response);
  written["401"] = { description: "Unauthorized" };
  return written;
}
